/** Reads the results of a job in parts, so that a large answer does not hold up the event loop. */

import type { JobStore, LeftOutUrl, ListedResult, PageFailure } from "../../ports/job-store.ts";
import type { Committer } from "./committer.ts";
import { pageRange, readableJob } from "./job-rows.ts";

type Range = Parameters<JobStore["readResults"]>[1];

const rowsPerTurn = 1000;
const documentBytesPerTurn = 1_000_000;

/** Determines which results are in the range, without reading their texts. */
export async function chooseResults(committer: Committer, jobId: string, range: Range): Promise<StoredResult[]> {
  const chosen: StoredResult[] = [];
  let bytes = 0;
  while (chosen.length < range.limit) {
    const most = Math.min(rowsPerTurn, range.limit - chosen.length);
    const sizes = await committer.read((database) => {
      const job = readableJob(database, jobId);
      if (job === undefined) return [];
      return database.all<StoredResult>("resultSizes", job.number, range.skip + chosen.length, most);
    });
    for (const size of sizes) {
      bytes += size.bytes;
      if (chosen.length > 0 && bytes > range.maxBytes) return chosen;
      chosen.push(size);
    }
    if (sizes.length < most) break;
  }
  return chosen;
}

interface StoredResult {
  readonly document: number;
  readonly bytes: number;
  readonly url: string | null;
}

export async function readDocuments(committer: Committer, chosen: readonly StoredResult[]): Promise<ListedResult[]> {
  const results: ListedResult[] = [];
  while (results.length < chosen.length) {
    const read = await committer.read((database) => {
      const read: ListedResult[] = [];
      let bytes = 0;
      for (let i = results.length; i < chosen.length && bytes < documentBytesPerTurn; i += 1) {
        const result = chosen[i] as StoredResult;
        const row = database.get<{ document: string }>("document", result.document);
        if (row === undefined) break;
        read.push({ document: row.document, url: result.url });
        bytes += result.bytes;
      }
      return read;
    });
    // The results have meanwhile been erased.
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
    for (const { url } of rows) if (!leftOut.has(url)) leftOut.set(url, "LIMIT");
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
