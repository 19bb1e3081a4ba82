/** Reads the results of a job in parts, so that a large answer does not hold up the event loop. */

import type { JobStore, LeftOutUrl, ListedResult, PageFailure } from "../../ports/job-store.ts";
import type { Committer } from "./committer.ts";
import { pageRange, readableJob } from "./job-rows.ts";

type Range = Parameters<JobStore["readResults"]>[1];

const rowsPerTurn = 1000;
const documentBytesPerTurn = 1_000_000;

/** How many results of the range fit into its bytes; their texts are not read for this. */
async function measureResults(committer: Committer, jobId: string, range: Range): Promise<number[]> {
  const sizes: number[] = [];
  let total = 0;
  while (sizes.length < range.limit) {
    const most = Math.min(rowsPerTurn, range.limit - sizes.length);
    const rows = await committer.read((database) => {
      const job = readableJob(database, jobId);
      if (job === undefined) return [];
      return database.all<{ bytes: number }>("resultSizes", job.number, range.skip + sizes.length, most);
    });
    for (const { bytes } of rows) {
      total += bytes;
      if (sizes.length > 0 && total > range.maxBytes) return sizes;
      sizes.push(bytes);
    }
    if (rows.length < most) break;
  }
  return sizes;
}

/**
 * In every turn the results are looked up anew, by their places in the job: it may have been erased meanwhile, also by
 * another process, and the numbers of its documents may by now be those of another team's.
 */
export async function readResults(committer: Committer, jobId: string, range: Range): Promise<ListedResult[]> {
  const sizes = await measureResults(committer, jobId, range);
  const results: ListedResult[] = [];
  while (results.length < sizes.length) {
    const read = await committer.read((database) => {
      const read: ListedResult[] = [];
      const job = readableJob(database, jobId);
      if (job === undefined) return read;
      let bytes = 0;
      for (let i = results.length; i < sizes.length && bytes < documentBytesPerTurn; i += 1) {
        const result = database.get<ListedResult>("result", job.number, range.skip + i);
        if (result === undefined) break;
        read.push({ document: result.document, url: result.url });
        bytes += sizes[i] as number;
      }
      return read;
    });
    if (read.length === 0) break;
    results.push(...read);
  }
  return results;
}

export async function listFailures(committer: Committer, jobId: string): Promise<PageFailure[]> {
  const failures: PageFailure[] = [];
  for (let after = -1; ; ) {
    const rows = await committer.read((database) => {
      const job = readableJob(database, jobId);
      if (job === undefined) return [];
      return database.all<PageFailure & { position: number }>("failures", job.number, after, rowsPerTurn);
    });
    for (const { id, timestamp, url, code, error } of rows) failures.push({ id, timestamp, url, code, error });
    if (rows.length < rowsPerTurn) return failures;
    after = rows.at(-1)?.position ?? after;
  }
}

export async function listLeftOut(committer: Committer, jobId: string): Promise<LeftOutUrl[]> {
  const leftOut = new Map<string, string>();
  for (let after = ""; ; ) {
    const rows = await committer.read((database) => {
      const job = readableJob(database, jobId);
      return job === undefined ? [] : database.all<LeftOutUrl>("leftOut", job.number, after, rowsPerTurn);
    });
    for (const { url, reason } of rows) leftOut.set(url, reason);
    if (rows.length < rowsPerTurn) break;
    after = rows.at(-1)?.url ?? after;
  }
  for (let after = -1; ; ) {
    const rows = await committer.read((database) => {
      const job = readableJob(database, jobId);
      if (job === undefined || job.state === "scraping" || job.state === "cancelled") return [];
      const [first, end] = pageRange(job.number);
      return database.all<{ id: number; url: string }>("queuedUrls", Math.max(first, after), end, rowsPerTurn);
    });
    for (const { url } of rows) leftOut.set(url, "LIMIT");
    if (rows.length < rowsPerTurn) break;
    after = rows.at(-1)?.id ?? after;
  }
  return Array.from(leftOut, ([url, reason]) => ({ url, reason }));
}

export async function* listKeys(committer: Committer, jobId: string): AsyncGenerator<readonly string[]> {
  for (let after = -1; ; ) {
    const rows = await committer.read((database) => {
      const job = readableJob(database, jobId);
      if (job === undefined) return [];
      const [first, end] = pageRange(job.number);
      return database.all<{ id: number; key: string }>("pageKeys", Math.max(first, after), end, rowsPerTurn);
    });
    if (rows.length > 0) yield rows.map((row) => row.key);
    if (rows.length < rowsPerTurn) return;
    after = rows.at(-1)?.id ?? after;
  }
}
