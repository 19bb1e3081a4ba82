/** What an index answers with: candidates, the best first, checked against what words alone do not settle. */
import { meetsTerms } from "../contract/search-terms.ts";
import { snippetOf } from "../contract/snippet.ts";
import type { SearchHit } from "../ports/search-provider.ts";
import type { SearchPlan } from "./search-plan.ts";

export interface Candidate {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/** @param ranking the words that the results' texts shall show */
export async function takeHits(
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  { related, unchecked }: SearchPlan,
  ranking: readonly string[],
  limit: number,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  // Relatives are found by words. Of a page that is not known, or says nothing, there are none, and not all pages.
  if (related.length > 0 && ranking.length === 0) return hits;
  for await (const page of candidates) {
    // Reading a long page through takes some milliseconds: other work comes in between.
    await new Promise(setImmediate);
    if (unchecked.length > 0 && !meetsTerms(unchecked, page)) continue;
    const { url, title, description, text } = page;
    hits.push({ url, title, description: text === "" ? description : snippetOf(text, ranking) });
    if (hits.length >= limit) break;
  }
  return hits;
}
