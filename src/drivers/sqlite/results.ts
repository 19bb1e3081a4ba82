/** Reads the results of a job in parts, so that a large answer does not hold up the event loop. */

import type { JobStore, LeftOutUrl, PageFailure } from "../../ports/job-store.ts";
import type { Committer } from "./committer.ts";
import { pageRange, readableJob } from "./job-rows.ts";

type Range = Parameters<JobStore["readResults"]>[1];

const rowsPerTurn = 1000;
const documentBytesPerTurn = 1_000_000;

/** Determines which documents are in the range, without reading their texts. */
export async function chooseDocuments(committer: Committer, jobId: string, range: Range): Promise<StoredDocument[]> {
  const chosen: StoredDocument[] = [];
  let bytes = 0;
  while (chosen.length < range.limit) {
    const most = Math.min(rowsPerTurn, range.limit - chosen.length);
    const sizes = await committer.read((database) => {
      const job = readableJob(database, jobId);
      if (job === undefined) return [];
      return database.all<StoredDocument>("resultSizes", job.number, range.skip + chosen.length, most);
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

interface StoredDocument {
  readonly document: number;
  readonly bytes: number;
}

export async function readDocuments(committer: Committer, chosen: readonly StoredDocument[]): Promise<string[]> {
  const documents: string[] = [];
  while (documents.length < chosen.length) {
    const read = await committer.read((database) => {
      const texts: string[] = [];
      let bytes = 0;
      for (let i = documents.length; i < chosen.length && bytes < documentBytesPerTurn; i += 1) {
        const row = database.get<{ document: string }>("document", (chosen[i] as StoredDocument).document);
        if (row === undefined) break;
        texts.push(row.document);
        bytes += (chosen[i] as StoredDocument).bytes;
      }
      return texts;
    });
    // The results have meanwhile been erased.
    if (read.length === 0) break;
    documents.push(...read);
  }
  return documents;
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
