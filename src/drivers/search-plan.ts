/**
 * How an index answers a query: which words are required, which only affect the ranking, and what remains to be checked
 * on the page.
 */
import { choicesOf, type SearchTerm } from "../shared/search-terms.ts";
import { searchWords, wordsOfPage } from "../shared/search-words.ts";

export interface SearchPlan {
  /** Every result contains all of them. */
  readonly required: readonly string[];
  /**
   * Words that make a page a candidate too: those wanted in titles, which are checked on the page, and optional ones.
   */
  readonly helpful: readonly string[];
  /** Addresses of pages for which related pages are wanted. */
  readonly related: readonly string[];
  /** The terms that words alone do not decide. */
  readonly unchecked: readonly SearchTerm[];
}

export function planSearch(terms: readonly SearchTerm[]): SearchPlan {
  const choices = terms.map(choicesOf);
  // Where one of several terms is enough, pages without any of the words need not be looked at if all of these are words.
  const wordTerms = choices
    .filter((terms) => terms.every(isOfWords))
    .flatMap((terms) => terms.map((term) => ({ ...term, isOneOfSeveral: terms.length > 1 })));
  const wordsOf = (isMeant: (term: (typeof wordTerms)[number]) => boolean) => [
    ...new Set(wordTerms.filter(isMeant).flatMap(({ text }) => searchWords(text))),
  ];
  const isRequired = ({ field, optional, isOneOfSeveral }: (typeof wordTerms)[number]) =>
    field === "anywhere" && !optional && !isOneOfSeveral;
  return {
    required: wordsOf(isRequired),
    helpful: wordsOf((term) => !isRequired(term)),
    related: choices
      .flat()
      .filter(({ field, negated }) => field === "related" && !negated)
      .map(({ text }) => comparableUrl(text)),
    unchecked: terms.filter(
      ({ field, exact, negated, alternatives }) =>
        field !== "anywhere" || exact || negated || alternatives !== undefined,
    ),
  };
}

const isOfWords = ({ field, negated }: SearchTerm): boolean => !negated && (field === "anywhere" || field === "title");

/** An address as people write it: without scheme, `www.` and trailing slash. */
export function comparableUrl(url: string): string {
  return (
    url
      .replace(/^https?:\/\//i, "")
      .replace(/^www\./i, "")
      // Begun only where slashes begin: from each of very many it would be looked for anew.
      .replace(/(?<!\/)\/+$/, "")
  );
}

/** The ways in which people write the address of a page: with or without `www.` and a trailing slash. */
export function spellingsOf(address: string): string[] {
  const hosts = ["https://", "http://", "https://www.", "http://www."];
  return hosts.flatMap((start) => [`${start}${address}`, `${start}${address}/`]);
}

/** How much a word counts, by where it occurs; the same in all indexes. */
export const wordWeights = { title: 4, description: 2, url: 1, text: 1 } as const;

/** The usual constants of BM25. */
export const bm25 = { saturation: 1.2, lengthPenalty: 0.75 } as const;

type SearchedPage = Readonly<Record<keyof typeof wordWeights, string>>;

/** Nothing is there to be found: such a page takes the place of the one before, and is not kept. */
export function isBlank(page: Readonly<Record<"title" | "description" | "markdown", string>>): boolean {
  return page.title === "" && page.description === "" && page.markdown === "";
}

/** The words of a page and what each counts. */
export function countWords(page: SearchedPage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [part, weight] of Object.entries(wordWeights) as [keyof SearchedPage, number][]) {
    for (const word of wordsOfPage(page[part])) counts.set(word, (counts.get(word) ?? 0) + weight);
  }
  return counts;
}

/** Most words by which pages related to one page are found. */
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

/** Most characters of a page that are searched. */
export const maxIndexedLength = 200_000;
