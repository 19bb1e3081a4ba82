/** The URLs by which a server around the engine would offer a job: made here, and read back from `next`. */
import { RequestError } from "../errors.ts";
import type { JobKind } from "../ports/job-store.ts";

export const defaultPublicUrl = "crawlcore://engine";

const paths: Record<JobKind, string> = {
  crawl: "v1/crawl",
  batch_scrape: "v1/batch/scrape",
  extract: "v1/extract",
};

export function jobUrl(publicUrl: string, kind: JobKind, id: string): string {
  return `${publicUrl.replace(/\/+$/, "")}/${paths[kind]}/${id}`;
}

export function nextUrl(publicUrl: string, kind: JobKind, id: string, skip: number, limit: number | undefined): string {
  return `${jobUrl(publicUrl, kind, id)}?skip=${skip}${limit === undefined ? "" : `&limit=${limit}`}`;
}

/** Reads the `next` of an earlier answer. It must be one of this very job. */
export function readNextUrl(next: string, id: string): { skip: number; limit?: number } {
  let url: URL;
  try {
    url = new URL(next);
  } catch {
    throw badNext(next, "is not a URL");
  }
  if (!url.pathname.replace(/\/+$/, "").endsWith(`/${id}`)) throw badNext(next, `does not belong to job ${id}`);
  const skip = readCount(url.searchParams.get("skip"));
  const limit = readCount(url.searchParams.get("limit"));
  if (skip === null || limit === null) throw badNext(next, "has a skip or limit that is no whole number");
  return { skip: skip ?? 0, ...(limit === undefined ? {} : { limit }) };
}

function readCount(text: string | null): number | undefined | null {
  if (text === null) return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function badNext(next: string, problem: string): RequestError {
  const message = `"next" ${problem}: ${next.slice(0, 200)}`;
  return new RequestError("BAD_REQUEST", message, { details: [{ code: "custom", path: ["next"], message }] });
}
