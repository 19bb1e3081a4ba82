/** The pages of a batch: one for each URL, listed as often as it was named. */
import type { NewPage } from "../ports/job-store.ts";
import { namedKey } from "./named-key.ts";

export function batchPages(urls: readonly string[]): NewPage[] {
  const times = new Map<string, { url: string; times: number }>();
  for (const url of urls) {
    const key = batchKey(url);
    const known = times.get(key);
    if (known === undefined) times.set(key, { url, times: 1 });
    else known.times++;
  }
  return [...times].map(([key, page]) => ({ ...page, key, depth: 0 }));
}

export function batchKey(url: string): string {
  return namedKey(url, { ignoreQueryParameters: false, deduplicateSimilarURLs: false });
}
