/** Adds URLs to an existing batch. */
import { createHash } from "node:crypto";
import type { ParsedBatchScrapeRequest } from "../contract/batch-scrape.ts";
import { badRequest } from "../contract/parse.ts";
import { RequestError } from "../errors.ts";
import type { JobRecord, JobStore, NewPage } from "../ports/job-store.ts";
import { Turn } from "../shared/turn.ts";
import type { StoredBatchScrape } from "./batch-work.ts";
import { findJob } from "./find-job.ts";
import { namedKey } from "./named-key.ts";
import type { StartParts } from "./start.ts";

/** Options of the batch as a whole: a later request may repeat but not change them. */
const lasting = ["webhook", "maxConcurrency"] as const;

/** Most characters of options that one request may add to a batch: they are stored with each of its pages. */
const maxAddedOptions = 64_000_000;

/** The team's batch, if the pages that the request asks for may be added to it. */
export async function findBatch(
  jobs: JobStore,
  id: string,
  request: ParsedBatchScrapeRequest,
  asked: readonly NewPage[],
  team: string,
): Promise<JobRecord> {
  const job = await findJob(jobs, "batch_scrape", id, team);
  refuseWhenOver(job);
  const batch = JSON.parse(job.request) as StoredBatchScrape;
  const changed: string[] = lasting.filter(
    (option) => request[option] !== undefined && JSON.stringify(request[option]) !== JSON.stringify(batch[option]),
  );
  if (request.zeroDataRetention && !job.zeroDataRetention) changed.push("zeroDataRetention");
  if (changed.length > 0) {
    const message = "cannot be changed for an existing batch";
    throw badRequest(
      "batch scrape request",
      changed.map((option) => ({ code: "custom", path: [option], message })),
    );
  }
  const length = otherOptions(job, request)?.length ?? 0;
  if (length * asked.length > maxAddedOptions) {
    const most = Math.floor(maxAddedOptions / length);
    const message = `must be at most ${most} with options of this length that are not those of the batch; start another batch for more`;
    throw badRequest("batch scrape request", [{ code: "too_big", path: ["urls"], message }]);
  }
  return job;
}

/** The options of the request as JSON text; undefined if they are those of the batch. */
function otherOptions(batch: JobRecord, { scrapeOptions }: ParsedBatchScrapeRequest): string | undefined {
  const options = JSON.stringify(scrapeOptions);
  const { scrapeOptions: ofBatch } = JSON.parse(batch.request) as StoredBatchScrape;
  return options === JSON.stringify(ofBatch) ? undefined : options;
}

/** How many of the pages would be scraped; of the others, the batch has the result or will have it. */
export async function countNewPages(
  jobs: JobStore,
  batch: JobRecord,
  request: ParsedBatchScrapeRequest,
  asked: readonly NewPage[],
): Promise<number> {
  const keys = new Set<string>();
  const turn = new Turn();
  for (const { key } of await pagesOfBatch(jobs, batch, request, asked)) {
    if (turn.isOver()) await turn.next();
    keys.add(key);
  }
  for await (const known of jobs.listKeys(batch.id)) {
    if (turn.isOver()) await turn.next();
    for (const key of known) keys.delete(key);
  }
  return keys.size;
}

/** Adds URLs, of which there is at least one, to be scraped with the options of this request. A batch that has ended is opened again. */
export async function appendToBatch(
  { jobs, pushSurely, jobTtlMs }: StartParts,
  batch: JobRecord,
  request: ParsedBatchScrapeRequest,
  asked: readonly NewPage[],
): Promise<void> {
  const { id, team, zeroDataRetention } = batch;
  const pages = await pagesOfBatch(jobs, batch, request, asked);
  try {
    const { admitted } = await jobs.admitPages(id, {
      pages,
      leftOut: [],
      duplicates: "repeat",
      reopen: !zeroDataRetention,
      expiresAt: Date.now() + jobTtlMs,
    });
    // It may have ended in the meantime, by itself or by being cancelled.
    if (admitted === 0) refuseWhenOver(await findJob(jobs, "batch_scrape", id, team));
  } finally {
    // If only the storage's answer was lost, the batch is open again, and somebody must end it.
    await pushSurely({ jobId: id, team });
  }
}

/** The pages, with the keys and options that they have in the batch. */
async function pagesOfBatch(
  jobs: JobStore,
  batch: JobRecord,
  request: ParsedBatchScrapeRequest,
  asked: readonly NewPage[],
): Promise<NewPage[]> {
  const options = otherOptions(batch, request);
  const variant = options === undefined ? "" : ` ${createHash("sha256").update(options).digest("base64url")}`;
  const failures = await countFailures(jobs, batch.id);
  const pages: NewPage[] = [];
  const turn = new Turn();
  for (const page of asked) {
    if (turn.isOver()) await turn.next();
    // A URL that failed is tried again when it is added again; the result of one that was scraped is listed once more.
    const again = failures.has(page.key) ? ` ${failures.get(page.key)}` : "";
    pages.push({ ...page, key: page.key + variant + again, ...(options === undefined ? {} : { options }) });
  }
  return pages;
}

function refuseWhenOver({ state, zeroDataRetention }: JobRecord): void {
  if (state === "cancelled") throw new RequestError("CONFLICT", "The batch was cancelled; nothing can be added to it");
  if (state !== "scraping" && zeroDataRetention)
    throw new RequestError("CONFLICT", "The batch has ended and keeps no data; nothing can be added to it");
}

/** How often each URL has failed in the batch, by its key. */
async function countFailures(jobs: JobStore, id: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const turn = new Turn();
  for (const { url } of await jobs.listFailures(id)) {
    if (turn.isOver()) await turn.next();
    const key = namedKey(url);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
