/** How an index answers a query: which words must be there, which only rank, and what is left to check on the page. */
import type { SearchTerm } from "../contract/search-terms.ts";
import { searchWords, wordsOfPage } from "../contract/search-words.ts";

export interface SearchPlan {
  /** All of them stand in every result. */
  readonly required: readonly string[];
  /** Those in titles, which are checked on the page, and optional ones make a candidate as well. */
  readonly helpful: readonly string[];
  /** Addresses of pages whose relatives are wanted. */
  readonly related: readonly string[];
  /** What the words alone do not settle. */
  readonly unchecked: readonly SearchTerm[];
}

export function planSearch(terms: readonly SearchTerm[]): SearchPlan {
  const positive = terms.filter(({ negated }) => !negated);
  const wordsOf = (isMeant: (term: SearchTerm) => boolean) => [
    ...new Set(positive.filter(isMeant).flatMap(({ text }) => searchWords(text))),
  ];
  return {
    required: wordsOf(({ field, optional }) => field === "anywhere" && !optional),
    helpful: wordsOf(({ field, optional }) => field === "title" || optional === true),
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

/** The same page as people write its address: with or without `www.` and a closing slash. */
export function spellingsOf(address: string): string[] {
  const hosts = ["https://", "http://", "https://www.", "http://www."];
  return hosts.flatMap((start) => [`${start}${address}`, `${start}${address}/`]);
}

/** What a word counts where it stands, in all indexes. */
export const wordWeights = { title: 4, description: 2, url: 1, text: 1 } as const;

/** The usual constants of BM25. */
export const bm25 = { saturation: 1.2, lengthPenalty: 0.75 } as const;

type SearchedPage = Readonly<Record<keyof typeof wordWeights, string>>;

/** The words of a page and what each counts. */
export function countWords(page: SearchedPage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [part, weight] of Object.entries(wordWeights) as [keyof SearchedPage, number][]) {
    for (const word of wordsOfPage(page[part])) counts.set(word, (counts.get(word) ?? 0) + weight);
  }
  return counts;
}

/** Most words by which the relatives of one page are found. */
export const maxTellingWords = 12;

/** Frequent words of a page, those of its title first. */
export function tellingWords({ title, description, text }: Omit<SearchedPage, "url">): string[] {
  const counts = new Map<string, number>();
  const count = (part: string, weight: number) => {
    for (const word of searchWords(part))
      if (word.length > 3 || /[^\0-\x7f]/.test(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  count(title, 10);
  count(description, 3);
  count(text.slice(0, 20_000), 1);
  return [...counts]
    .sort((left, right) => right[1] - left[1])
    .slice(0, maxTellingWords)
    .map(([word]) => word);
}

/** Characters of a page that are searched. */
export const maxIndexedLength = 200_000;
