/** Searches the pages that the engine itself has scraped. */

import { badRequest } from "../../contract/parse.ts";
import { parseTimeFilter, type TimeFilter } from "../../contract/time-filter.ts";
import type { SearchIndex } from "../../ports/search-index.ts";
import type { SearchProvider } from "../../ports/search-provider.ts";
import { isFunctionWord } from "../../shared/function-words.ts";
import { choicesOf, type SearchTerm, saysSomething } from "../../shared/search-terms.ts";
import { searchWords } from "../../shared/search-words.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const spans = { hour, day, week: 7 * day, month: 31 * day, year: 366 * day } as const;

/**
 * The first search after a crawl indexes its pages, several hundred a second; this leaves some of the usual minute for
 * the next provider.
 */
const timeoutMs = 45_000;

/**
 * A search provider over a storage's index: each team finds the pages that it has scraped.
 *
 * @throws RequestError `BAD_REQUEST` when the storage has no index
 * @example
 * const storage = memoryStorage();
 * const engine = createEngine({ storage, search: [searxng({ url: "http://localhost:8888" }), ownIndex(storage.index!)] });
 */
export function ownIndex(index: SearchIndex): SearchProvider {
  if (typeof index?.search !== "function") {
    const message = "must be the search index of a storage: `storage.index`";
    throw badRequest("options of ownIndex", [{ path: [], message }]);
  }
  return {
    name: "own index",
    ignores: ["lang", "country", "filter"],
    limits: { timeoutMs },
    async search({ terms, limit, tbs, team, location = "" }) {
      if (!terms.some(saysSomething)) return [];
      const filter = tbs === undefined ? null : parseTimeFilter(tbs);
      const ask = (wanted: readonly SearchTerm[]) =>
        index.search({ team: team ?? "default", terms: wanted, limit, ...(filter === null ? {} : rangeOf(filter)) });
      const telling = tellingTerms(terms);
      const place = telling.some(isWord) && location !== "" ? [asHelpful(location)] : [];
      const hits = await ask([...telling.map((term) => ({ ...term, optional: false })), ...place]);
      const words = new Set(telling.flatMap(({ text, negated }) => (negated ? [] : searchWords(text))));
      if (hits.length >= limit || words.size < 2 || !telling.some(({ optional }) => optional)) return hits;
      // Hardly any page contains every word of a question. Behind those that do come the ones with the most telling words.
      const known = new Set(hits.map(({ url }) => url));
      const others = (await ask([...telling, ...place])).filter(({ url }) => !known.has(url));
      return [...hits, ...others].slice(0, limit);
    },
  };
}

/** Without a word to look for, those of the place would be looked for, also where another term is enough instead. */
const isWord = (term: SearchTerm): boolean =>
  choicesOf(term).every(({ field, negated }) => field === "anywhere" && !negated);

/** Without the words like "the" and "how", which most pages contain, unless there are no others. */
function tellingTerms(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const telling = terms.filter(({ text, optional }) => !optional || !isFunctionWord(text));
  return telling.some(isWord) ? telling : terms;
}

/** Pages that speak of the place come first. */
const asHelpful = (text: string): SearchTerm => ({
  field: "anywhere",
  text,
  exact: false,
  negated: false,
  optional: true,
});

function rangeOf(filter: TimeFilter): { from: number; to?: number } {
  if ("past" in filter) return { from: Date.now() - spans[filter.past] };
  return { from: Date.parse(`${filter.from}T00:00:00Z`), to: Date.parse(`${filter.to}T23:59:59.999Z`) };
}
