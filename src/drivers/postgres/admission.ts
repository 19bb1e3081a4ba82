/** Puts pages and left-out URLs into a job. */

import type { LeftOutUrl, NewPage } from "../../ports/job-store.ts";
import { readRepeats, writeRepeats } from "../repeats.ts";
import type { Query } from "./connection.ts";
import { hashOf } from "./hash.ts";
import type { JobRow } from "./job-rows.ts";

interface OwnerRow {
  readonly key_hash: string;
  readonly place: number;
  readonly state: string;
  readonly has_document: boolean;
  readonly repeats: string | null;
}

/** Pages of one statement: more would hold the event loop while they are written into it. */
const pagesAtOnce = 1_000;

/** Adds the pages whose key is new; returns how many that were. */
export async function admit(
  query: Query,
  job: JobRow,
  pages: readonly NewPage[],
  duplicates: "ignore" | "repeat",
): Promise<number> {
  let added = 0;
  for (let from = 0; from < pages.length; from += pagesAtOnce) {
    added += await admitSome(query, job, pages.slice(from, from + pagesAtOnce), duplicates);
  }
  return added;
}

async function admitSome(
  query: Query,
  job: JobRow,
  pages: readonly NewPage[],
  duplicates: "ignore" | "repeat",
): Promise<number> {
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
    const asked = pages.map(({ url, repeats = [] }, index) => ({ hash: hashes[index]!, urls: [url, ...repeats] }));
    const repeated = asked.filter((_, index) => !places.has(first + index));
    await repeatPages(query, job, repeated);
  } else if (added.length < pages.length) {
    const depths = pages.map((page) => page.depth);
    await query("lowerDepths", job.number, hashes, depths);
  }
  return added.length;
}

/** @param statement for `replaceLeftOut`, each URL may occur once */
export async function leaveOut(
  query: Query,
  job: JobRow,
  urls: readonly LeftOutUrl[],
  statement: "insertLeftOut" | "replaceLeftOut" = "insertLeftOut",
): Promise<void> {
  if (urls.length === 0) return;
  await query(
    statement,
    job.number,
    urls.map(({ url }) => hashOf(url)),
    urls.map(({ url }) => url),
    urls.map(({ reason }) => reason),
  );
}

interface RepeatedPage {
  readonly hash: string;
  readonly urls: readonly string[];
}

/** Of all pages in a few statements: there may be thousands, and the others who work on the job wait meanwhile. */
async function repeatPages(query: Query, job: JobRow, pages: readonly RepeatedPage[]): Promise<void> {
  const hashes = [...new Set(pages.map(({ hash }) => hash))];
  const rows = await query<OwnerRow>("pagesOfKeys", job.number, hashes);
  const owners = new Map(rows.map((row) => [row.key_hash, row]));
  /** The URLs that open pages will be listed for, and those that are listed at once, with the places of their pages. */
  const later = new Map<OwnerRow, string[]>();
  const places: number[] = [];
  const listed: string[] = [];
  for (const { hash, urls } of pages) {
    const owner = owners.get(hash);
    if (owner === undefined) continue;
    if (owner.state === "queued" || owner.state === "waiting" || owner.state === "leased") {
      if (owner.state === "leased") job.leased_results += urls.length;
      else job.queued_results += urls.length;
      const more = later.get(owner) ?? [];
      for (const url of urls) more.push(url);
      later.set(owner, more);
    } else if (owner.has_document) {
      for (const url of urls) {
        places.push(owner.place);
        listed.push(url);
      }
      if (owner.state === "succeeded") job.succeeded += urls.length;
    }
  }
  const open = [...later];
  await query(
    "saveRepeats",
    job.number,
    open.map(([{ place }]) => place),
    open.map(([, urls]) => urls.length),
    open.map(([{ repeats }, urls]) => writeRepeats([...readRepeats(repeats), ...urls])),
  );
  await query("insertRepeatedResults", job.number, job.listed, places, listed);
  job.listed += listed.length;
}
