/** A case of the storage suite, and the small values that cases are made of. */

import type { LeasedPage, NewJob, NewPage, PageCompletion, PageLease } from "../../ports/job-store.ts";
import type { Charge } from "../../ports/ledger.ts";
import type { OutboxItem } from "../../ports/outbox.ts";
import type { Storage } from "../../ports/storage.ts";

export interface StorageCase {
  readonly name: string;
  run(storage: Storage): Promise<void>;
}

/** The time from which the cases count; many a database would keep no milliseconds. */
export const start = Date.UTC(2026, 2, 1, 12, 30, 15, 678);
export const minute = 60_000;
/** Later than everything in the cases. */
export const never = Date.UTC(2100, 0, 1);

export function newJob(fields: Partial<NewJob> = {}): NewJob {
  return {
    id: "job-1",
    team: "team-a",
    apiKey: "key-1",
    kind: "crawl",
    request: '{"url":"https://example.com/"}',
    limit: 100,
    zeroDataRetention: false,
    createdAt: start,
    expiresAt: never,
    expanding: false,
    ...fields,
  };
}

export function newPage(key: string, fields: Partial<NewPage> = {}): NewPage {
  return { url: `https://${key}`, key, depth: 0, ...fields };
}

export function newPages(count: number, name = "page"): NewPage[] {
  return Array.from({ length: count }, (_, index) => newPage(`example.com/${name}-${index}`));
}

export function newItem(id: string, fields: Partial<OutboxItem> = {}): OutboxItem {
  return {
    id,
    team: "team-a",
    jobId: "job-1",
    target: "webhook",
    lane: "job-1 webhook",
    payload: `{"item":"${id}"}`,
    createdAt: start,
    ...fields,
  };
}

export function newCharge(id: string, fields: Partial<Charge> = {}): Charge {
  return {
    id,
    team: "team-a",
    apiKey: "key-1",
    jobId: "job-1",
    kind: "crawl",
    credits: 1,
    tokens: 0,
    at: start,
    ...fields,
  };
}

export function succeeded(fields: Partial<PageCompletion> = {}): PageCompletion {
  return {
    outcome: "succeeded",
    completedAt: start,
    document: "{}",
    discovered: [],
    leftOut: [],
    outbox: [],
    ...fields,
  };
}

export function failed(id: string, fields: Partial<PageCompletion> = {}): PageCompletion {
  return succeeded({
    outcome: "failed",
    document: `{"failed":"${id}"}`,
    failure: { id, url: `https://example.com/${id}`, code: "SCRAPE_TIMEOUT", error: "The page took too long." },
    ...fields,
  });
}

export function dropped(fields: Partial<PageCompletion> = {}): PageCompletion {
  return { outcome: "dropped", completedAt: start, discovered: [], leftOut: [], outbox: [], ...fields };
}

interface ClaimFields {
  readonly jobId?: string;
  readonly worker?: string;
  readonly now?: number;
  readonly leaseUntil?: number;
  readonly maxDepth?: number;
}

export function claim(storage: Storage, count: number, fields: ClaimFields = {}): Promise<LeasedPage[]> {
  const { jobId = "job-1", worker = "worker-1", now = start, leaseUntil = now + minute, maxDepth } = fields;
  return storage.jobs.claimPages(jobId, { worker, count, now, leaseUntil, maxDepth });
}

export async function claimOne(storage: Storage, fields: ClaimFields = {}): Promise<PageLease> {
  const [page] = await claim(storage, 1, fields);
  if (page === undefined) throw new Error("No page was handed out.");
  return page.lease;
}

/** Creates `newJob(fields)` with these pages. */
export async function begin(storage: Storage, pages: readonly NewPage[], fields: Partial<NewJob> = {}): Promise<void> {
  await storage.jobs.createJob(newJob(fields), pages, []);
}

export async function record(storage: Storage, id = "job-1") {
  const job = await storage.jobs.getJob(id, start);
  if (job === null) throw new Error(`There is no job ${id}.`);
  return job;
}

/** All results of a job: each document with the URL that it repeats the page for. */
export async function results(storage: Storage, jobId = "job-1"): Promise<[document: string, url: string | null][]> {
  const range = { skip: 0, limit: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };
  const read = await storage.jobs.readResults(jobId, range);
  return read.results.map(({ document, url }) => [document, url]);
}

/** All documents of a job. */
export async function documents(storage: Storage, jobId = "job-1"): Promise<string[]> {
  return (await results(storage, jobId)).map(([document]) => document);
}

export async function keys(storage: Storage, jobId = "job-1"): Promise<string[]> {
  const all: string[] = [];
  for await (const chunk of storage.jobs.listKeys(jobId)) all.push(...chunk);
  return all;
}

export function close(storage: Storage, fields: Partial<Parameters<Storage["jobs"]["closeJob"]>[1]> = {}) {
  return storage.jobs.closeJob("job-1", {
    state: "completed",
    finishedAt: start,
    expiresAt: never,
    outbox: [],
    ...fields,
  });
}

export function cancel(storage: Storage, fields: Partial<Parameters<Storage["jobs"]["cancelJob"]>[1]> = {}) {
  return storage.jobs.cancelJob("job-1", { finishedAt: start, expiresAt: never, outbox: [], ...fields });
}

export async function take(storage: Storage, fields: Partial<Parameters<Storage["outbox"]["take"]>[0]> = {}) {
  const now = fields.now ?? start;
  return storage.outbox.take({
    worker: "worker-1",
    now,
    leaseUntil: now + minute,
    lanes: 100,
    batch: 100,
    ...fields,
  });
}

/** Ids of the items taken, lane by lane. */
export function ids(lanes: Awaited<ReturnType<typeof take>>): string[][] {
  return lanes.map((lane) => lane.items.map((item) => item.id));
}
