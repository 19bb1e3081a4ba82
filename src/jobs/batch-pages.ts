/** The pages of a batch: URLs with one identity are one page, listed for each of them. */

import type { NewPage } from "../ports/job-store.ts";
import { Turn } from "../shared/turn.ts";
import { namedKey } from "./named-key.ts";

export async function batchPages(urls: readonly string[]): Promise<NewPage[]> {
  const pages = new Map<string, NewPage & { readonly repeats: string[] }>();
  const turn = new Turn();
  for (const url of urls) {
    if (turn.isOver()) await turn.next();
    const key = namedKey(url);
    const known = pages.get(key);
    if (known === undefined) pages.set(key, { url, repeats: [], key, depth: 0 });
    else known.repeats.push(url);
  }
  return [...pages.values()];
}
