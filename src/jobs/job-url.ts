/** The URLs by which a server around the engine would offer a job. */
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
