/** Puts pages and left-out URLs into a job. */

import type { LeftOutUrl, NewPage } from "../../ports/job-store.ts";
import { readRepeats, writeRepeats } from "../repeats.ts";
import type { Query } from "./connection.ts";
import { hashOf } from "./hash.ts";
import type { JobRow } from "./job-rows.ts";

interface OwnerRow {
  readonly place: number;
  readonly state: string;
  readonly has_document: boolean;
  readonly repeats: string | null;
}

/** Adds the pages whose key is new; returns how many that were. */
export async function admit(
  query: Query,
  job: JobRow,
  pages: readonly NewPage[],
  duplicates: "ignore" | "repeat",
): Promise<number> {
  if (pages.length === 0) return 0;
  const first = job.admitted;
  const hashes = pages.map((page) => hashOf(page.key));
  const added = await query<{ place: number; times: number }>(
    "insertPages",
    job.number,
    pages.map((_, index) => first + index),
    pages.map((page) => page.url),
    pages.map((page) => page.key),
    hashes,
    pages.map((page) => page.depth),
    pages.map((page) => 1 + (page.repeats?.length ?? 0)),
    pages.map((page) => writeRepeats(page.repeats)),
    pages.map((page) => page.options ?? null),
  );
  job.admitted += pages.length;
  job.queued += added.length;
  job.queued_results += added.reduce((sum, page) => sum + page.times, 0);
  if (duplicates === "repeat" && added.length < pages.length) {
    const places = new Set(added.map((page) => page.place));
    for (const [index, page] of pages.entries()) {
      if (!places.has(first + index)) await repeatPage(query, job, hashes[index] as string, page);
    }
  }
  return added.length;
}

export async function leaveOut(query: Query, job: JobRow, urls: readonly LeftOutUrl[]): Promise<void> {
  if (urls.length === 0) return;
  await query(
    "insertLeftOut",
    job.number,
    urls.map(({ url }) => hashOf(url)),
    urls.map(({ url }) => url),
    urls.map(({ reason }) => reason),
  );
}

async function repeatPage(query: Query, job: JobRow, hash: string, { url, repeats = [] }: NewPage): Promise<void> {
  const [page] = await query<OwnerRow>("pageOfKey", job.number, hash);
  if (page === undefined) return;
  const urls = [url, ...repeats];
  const saveRepeats = () => {
    const all = writeRepeats([...readRepeats(page.repeats), ...urls]);
    return query("saveRepeats", job.number, page.place, urls.length, all);
  };
  if (page.state === "queued" || page.state === "waiting") {
    job.queued_results += urls.length;
    await saveRepeats();
  } else if (page.state === "leased") {
    job.leased_results += urls.length;
    await saveRepeats();
  } else if (page.has_document) {
    await query("insertRepeatedResults", job.number, job.listed, page.place, urls);
    job.listed += urls.length;
    if (page.state === "succeeded") job.succeeded += urls.length;
  }
}
