/** Puts pages and left-out URLs into a job of the memory driver. */

import type { LeftOutUrl, NewPage } from "../../ports/job-store.ts";
import { type MemoryJob, type MemoryPage, timesOf } from "./job-table.ts";

/** Adds the pages whose key is new, and returns their number. */
export function admit(job: MemoryJob, pages: readonly NewPage[], duplicates: "ignore" | "repeat"): number {
  let admitted = 0;
  for (const page of pages) {
    const known = job.keys.get(page.key);
    if (known === undefined) {
      addPage(job, page);
      admitted += 1;
    } else if (duplicates === "repeat") {
      repeatPage(job, known, [page.url, ...(page.repeats ?? [])]);
    } else {
      known.depth = Math.min(known.depth, page.depth);
    }
  }
  return admitted;
}

/** @param replaces the reasons replace those found before */
export function leaveOut(job: MemoryJob, urls: readonly LeftOutUrl[], replaces = false): void {
  for (const leftOut of urls) {
    if (replaces || !job.leftOut.has(leftOut.url)) job.leftOut.set(leftOut.url, leftOut);
  }
}

/** Lists the page's document for each of the URLs; null stands for the page's own. */
export function listResult(job: MemoryJob, page: MemoryPage, urls: readonly (string | null)[]): void {
  if (page.document === null) return;
  for (const url of urls) job.results.push({ page, url });
  job.listed += urls.length;
  if (page.state === "succeeded") job.succeeded += urls.length;
}

/** Puts a page that is not queued into the queue. */
export function enqueue(job: MemoryJob, page: MemoryPage, notBefore: number): void {
  page.state = "queued";
  page.notBefore = notBefore;
  job.queued += 1;
  job.queuedTimes += timesOf(page);
  if (notBefore > 0) job.waiting.push(page);
  else job.ready.push(page);
}

function addPage(job: MemoryJob, { url, key, depth, options, repeats = [] }: NewPage): void {
  const page: MemoryPage = {
    job,
    id: job.pages.length,
    url,
    key,
    depth,
    options: options ?? null,
    repeats,
    state: "queued",
    notBefore: 0,
    attempts: 0,
    deaths: 0,
    token: 0,
    worker: null,
    leaseUntil: 0,
    document: null,
    documentBytes: 0,
    heapIndex: -1,
  };
  job.pages.push(page);
  job.keys.set(key, page);
  enqueue(job, page, 0);
}

function repeatPage(job: MemoryJob, page: MemoryPage, urls: readonly string[]): void {
  if (page.state === "queued") {
    page.repeats = [...page.repeats, ...urls];
    job.queuedTimes += urls.length;
  } else if (page.state === "leased") {
    page.repeats = [...page.repeats, ...urls];
    job.leasedTimes += urls.length;
  } else {
    listResult(job, page, urls);
  }
}
