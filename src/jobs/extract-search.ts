/** The pages of an extract job that a web search finds for it. */
import { shownErrorText } from "../shared/error-text.ts";
import { pagesOfSearch, relevanceQuery, type StoredExtract } from "./extract-request.ts";
import type { WebSearch } from "./web-search.ts";

/** Most characters of a prompt that are searched for. */
const mostSearched = 300;

/** Addresses, the best first; what went wrong is added to `problems`. Rejects only with the signal's reason. */
export async function searchForPages(
  webSearch: WebSearch,
  request: StoredExtract,
  team: string,
  problems: string[],
  signal: AbortSignal,
): Promise<string[]> {
  const query = (request.prompt ?? relevanceQuery(request)).replace(/\s+/g, " ").slice(0, mostSearched);
  try {
    const { hits, warnings } = await webSearch(
      { query, limit: pagesOfSearch, team, validOnly: true, isWish: true },
      signal,
    );
    problems.push(...warnings);
    if (hits.length === 0) problems.push("The web search found nothing.");
    return hits.map(({ url }) => url);
  } catch (error) {
    if (signal.aborted) throw error;
    problems.push(`The web search failed: ${shownErrorText(error)}`);
    return [];
  }
}
