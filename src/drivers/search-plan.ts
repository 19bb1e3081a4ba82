/** How an index answers a query: which words must be there, which only rank, and what is left to check on the page. */
import type { SearchTerm } from "../contract/search-terms.ts";
import { searchWords } from "../contract/search-words.ts";

export interface SearchPlan {
  /** All of them stand in every result. */
  readonly required: readonly string[];
  /** Those in titles, which are checked on the page, make a candidate as well. */
  readonly titles: readonly string[];
  /** Addresses of pages whose relatives are wanted. */
  readonly related: readonly string[];
  /** What the words alone do not settle. */
  readonly unchecked: readonly SearchTerm[];
}

export function planSearch(terms: readonly SearchTerm[]): SearchPlan {
  const positive = terms.filter(({ negated }) => !negated);
  const wordsIn = (field: SearchTerm["field"]) => [
    ...new Set(positive.filter((term) => term.field === field).flatMap(({ text }) => searchWords(text))),
  ];
  return {
    required: wordsIn("anywhere"),
    titles: wordsIn("title"),
    related: positive.filter(({ field }) => field === "related").map(({ text }) => comparableUrl(text)),
    unchecked: terms.filter(({ field, exact, negated }) => field !== "anywhere" || exact || negated),
  };
}

/** As people write addresses: without scheme, `www.` and closing slash. */
export function comparableUrl(url: string): string {
  return url
    .replace(/^https?:\/\//i, "")
    .replace(/^www\./i, "")
    .replace(/\/+$/, "");
}

/** What a word counts where it stands, in both indexes. */
export const wordWeights = { title: 4, description: 2, url: 1, text: 1 } as const;

/** Characters of a page that are searched. */
export const maxIndexedLength = 200_000;
