/** Orders pages by how well their URL, title and description answer a few search words. */

import { decodedText } from "../shared/percent-decoding.ts";
import { searchWords } from "../shared/search-words.ts";
import { Turn } from "../shared/turn.ts";

export interface RankedPage {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** How much a word counts, by where it is found. */
const weights = { path: 2, title: 3, description: 1, host: 0.5 } as const;

// The usual constants of BM25: how soon repetitions stop counting, and how much long texts are penalised.
const saturation = 1.2;
const lengthPenalty = 0.5;

/** Most search words that are used, and most characters of a text. */
const maxQueryWords = 32;
const maxTextLength = 2000;

/**
 * The same pages, the best first (BM25); pages of equal score, and those without any of the words, keep their order.
 * A word also counts half where it only begins a word of the page. Letters are compared without case and accents;
 * text without spaces between words by pairs of characters. Thousands of pages take several turns of the event loop.
 *
 * @example
 * const pages = [{ url: "https://example.com/about" }, { url: "https://example.com/docs/install" }];
 * (await rankByRelevance(pages, "install docs"))[0]?.url === "https://example.com/docs/install"
 */
export async function rankByRelevance<Page extends RankedPage>(
  pages: readonly Page[],
  search: string,
): Promise<Page[]> {
  const query = [...new Set(searchWords(search))].slice(0, maxQueryWords);
  if (query.length === 0) return [...pages];
  const turn = new Turn();
  const counted: WordCounts[] = [];
  /** How many pages have each word. */
  const having = query.map(() => 0);
  let total = 0;
  for (const page of pages) {
    if (turn.isOver()) await turn.next();
    const words = countWords(page, query);
    counted.push(words);
    total += words.length;
    for (let index = 0; index < having.length; index++) if (words.counts[index]! > 0) having[index]!++;
  }
  const meanLength = total / counted.length || 1;
  const rarity = having.map((count) => Math.log(1 + (counted.length - count + 0.5) / (count + 0.5)));
  const scores: number[] = [];
  for (const { counts, length } of counted) {
    if (turn.isOver()) await turn.next();
    const held = saturation * (1 - lengthPenalty + (lengthPenalty * length) / meanLength);
    let score = 0;
    for (const [index, count] of counts.entries())
      score += (rarity[index]! * count * (saturation + 1)) / (count + held);
    scores.push(score);
  }
  if (turn.isOver()) await turn.next();
  return [...pages.keys()].sort((left, right) => scores[right]! - scores[left]!).map((index) => pages[index]!);
}

interface WordCounts {
  /** For each word of the query, weighted. */
  readonly counts: readonly number[];
  /** Words of the page, weighted. */
  readonly length: number;
}

function countWords({ url, title, description }: RankedPage, query: readonly string[]): WordCounts {
  const counts = query.map(() => 0);
  let length = 0;
  const count = (text: string, weight: number) => {
    for (const word of searchWords(text.slice(0, maxTextLength))) {
      length += weight;
      for (let index = 0; index < query.length; index++) {
        const wanted = query[index]!;
        if (word === wanted) counts[index]! += weight;
        else if (beginsWord(word, wanted)) counts[index]! += weight / 2;
      }
    }
  };
  const [, host = "", path = ""] = /^https?:\/\/([^/?#]*)(.*)/is.exec(url) ?? ["", "", url];
  count(host, weights.host);
  count(decodedText(path), weights.path);
  if (title !== undefined) count(title, weights.title);
  if (description !== undefined) count(description, weights.description);
  return { counts, length };
}

/** A single Chinese, Japanese or Korean character in a search matches the pairs that begin or end with it. */
function beginsWord(word: string, wanted: string): boolean {
  if (wanted.length > 2) return word.startsWith(wanted);
  return withoutSpaces.test(wanted) && word.includes(wanted);
}

const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;
