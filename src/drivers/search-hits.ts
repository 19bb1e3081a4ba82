/** The results of an index: candidates, the best first, checked for conditions that words alone do not decide. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchHit } from "../ports/search-provider.ts";
import { meetsTerms } from "../shared/search-terms.ts";
import type { SearchPlan } from "./search-plan.ts";
import { snippetOf } from "./snippet.ts";

interface Candidate {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/** @param ranking the words that the descriptions of results should show */
export async function takeHits(
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  { related, unchecked }: SearchPlan,
  ranking: readonly string[],
  limit: number,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  // Related pages are found by words. If the page is unknown or has no words, there are none, rather than all pages.
  if (related.length > 0 && ranking.length === 0) return hits;
  for await (const page of candidates) {
    // Reading through a long page takes some milliseconds, so other work gets its turn in between.
    await nextTurn();
    if (unchecked.length > 0 && !meetsTerms(unchecked, page)) continue;
    const { url, title, description, text } = page;
    hits.push({ url, title, description: text === "" ? description : snippetOf(text, ranking) });
    if (hits.length >= limit) break;
  }
  return hits;
}
