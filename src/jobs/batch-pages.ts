/** The pages of a batch: one for each URL, listed as often as it was named. */
import { Turn } from "../contract/turn.ts";
import type { NewPage } from "../ports/job-store.ts";
import { namedKey } from "./named-key.ts";

export async function batchPages(urls: readonly string[]): Promise<NewPage[]> {
  const times = new Map<string, { url: string; times: number }>();
  const turn = new Turn();
  for (const url of urls) {
    if (turn.isOver()) await turn.next();
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
