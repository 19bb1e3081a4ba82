/** Puts pages and left-out URLs into a job. */

import type { LeftOutUrl, NewPage } from "../../ports/job-store.ts";
import { readRepeats, writeRepeats } from "../repeats.ts";
import type { Database } from "./database.ts";
import { type JobRow, pageId } from "./job-rows.ts";

interface RepeatedPage {
  readonly state: string;
  readonly document: number | null;
  readonly repeats: string | null;
}

/** Rows after which the event loop gets its turn. */
const rowsPerPart = 64;

/** Adds the pages whose key is new, and returns their number. */
export function* admit(
  database: Database,
  job: JobRow,
  pages: readonly NewPage[],
  duplicates: "ignore" | "repeat",
): Generator<void, number> {
  const before = job.admitted;
  let rows = 0;
  for (const page of pages) {
    if (!addPage(database, job, page)) {
      if (duplicates === "repeat") repeatPage(database, job, page);
      else database.run("lowerDepth", page.depth, job.number, page.key, page.depth);
    }
    rows += 1;
    if (rows % rowsPerPart === 0) yield;
  }
  return job.admitted - before;
}

/** @param replaces the reasons replace those found before */
export function* leaveOut(
  database: Database,
  job: JobRow,
  urls: readonly LeftOutUrl[],
  replaces = false,
): Generator<void, void> {
  const statement = replaces ? "replaceLeftOut" : "insertLeftOut";
  let rows = 0;
  for (const { url, reason } of urls) {
    database.run(statement, job.number, url, reason);
    rows += 1;
    if (rows % rowsPerPart === 0) yield;
  }
}

function addPage(database: Database, job: JobRow, { url, key, depth, options, repeats = [] }: NewPage): boolean {
  const id = pageId(job.number, job.admitted);
  const times = 1 + repeats.length;
  const about = [url, key, depth, times, writeRepeats(repeats), options ?? null];
  const added = database.run("insertPage", id, job.number, ...about, job.number, key) === 1;
  if (added) {
    job.admitted += 1;
    job.queued += 1;
    job.queued_results += times;
  }
  return added;
}

function repeatPage(database: Database, job: JobRow, { key, url, repeats = [] }: NewPage): void {
  const owner = database.get<{ id: number }>("pageByKey", job.number, key, job.number, key) as { id: number };
  const page = database.get<RepeatedPage>("pageForRepeat", owner.id);
  if (page === undefined) return;
  const urls = [url, ...repeats];
  const saveRepeats = () =>
    database.run("saveRepeats", urls.length, writeRepeats([...readRepeats(page.repeats), ...urls]), owner.id);
  if (page.state === "queued" || page.state === "waiting") {
    job.queued_results += urls.length;
    saveRepeats();
  } else if (page.state === "leased") {
    job.leased_results += urls.length;
    saveRepeats();
  } else if (page.document !== null) {
    for (const [i, url] of urls.entries()) {
      const bytes = Buffer.byteLength(url);
      database.run("insertRepeatedResult", job.number, job.listed + i, bytes, url, page.document);
    }
    job.listed += urls.length;
    if (page.state === "succeeded") job.succeeded += urls.length;
  }
}
