/** Orders pages by how well their URL, title and description answer a few search words. */

import { Turn } from "../contract/turn.ts";

export interface RankedPage {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** How much a word counts where it is found. */
const weights = { path: 2, title: 3, description: 1, host: 0.5 } as const;

// The usual constants of BM25: how soon repeats stop to count, and how much long texts are held back.
const saturation = 1.2;
const lengthPenalty = 0.5;

/** Search words beyond these are not looked at, nor are characters of a text. */
const maxQueryWords = 32;
const maxTextLength = 2000;

/**
 * The same pages, the best first (BM25); pages of equal score, and those without any of the words, keep their order.
 * A word also counts half where it only begins a word of the page. Letters are compared without case and accents;
 * Chinese, Japanese and Korean text by pairs of characters. Thousands of pages take several turns of the event loop.
 *
 * @example
 * const pages = [{ url: "https://example.com/about" }, { url: "https://example.com/docs/install" }];
 * (await rankByRelevance(pages, "install docs"))[0]?.url === "https://example.com/docs/install"
 */
export async function rankByRelevance<Page extends RankedPage>(
  pages: readonly Page[],
  search: string,
): Promise<Page[]> {
  const query = [...new Set(words(search))].slice(0, maxQueryWords);
  if (query.length === 0) return [...pages];
  const turn = new Turn();
  const counted: WordCounts[] = [];
  for (const page of pages) {
    if (turn.isOver()) await turn.next();
    counted.push(countWords(page, query));
  }
  const meanLength = counted.reduce((sum, page) => sum + page.length, 0) / Math.max(1, counted.length) || 1;
  const rarity = query.map((_, index) => {
    const having = counted.reduce((sum, page) => sum + (page.counts[index]! > 0 ? 1 : 0), 0);
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  });
  const scores = counted.map(({ counts, length }) => {
    const held = saturation * (1 - lengthPenalty + (lengthPenalty * length) / meanLength);
    return counts.reduce((sum, count, index) => sum + (rarity[index]! * count * (saturation + 1)) / (count + held), 0);
  });
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
    for (const word of words(text)) {
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
  count(decoded(path), weights.path);
  if (title !== undefined) count(title, weights.title);
  if (description !== undefined) count(description, weights.description);
  return { counts, length };
}

/** A character that is searched alone begins or ends the pairs that it stands in. */
function beginsWord(word: string, wanted: string): boolean {
  if (wanted.length > 2) return word.startsWith(wanted);
  return withoutSpaces.test(wanted) && [...wanted].length === 1 && word.includes(wanted);
}

const asciiWord = /[a-z0-9]+/g;
const anyWord = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}\p{M}]+/gu;
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const beyondAscii = /[^\0-\x7f]/;
const accents = /[\u0300-\u036f]+/g;

function words(text: string): readonly string[] {
  const start = text.slice(0, maxTextLength);
  if (!beyondAscii.test(start)) return (start.toLowerCase().match(asciiWord) ?? []).map(singular);
  const plain = start.normalize("NFKD").replace(accents, "").normalize("NFC").toLowerCase();
  return (plain.match(anyWord) ?? []).flatMap((found) => (withoutSpaces.test(found) ? pairs(found) : singular(found)));
}

/** "guides" and "guide" are one word. */
function singular(found: string): string {
  return found.length > 3 && found.endsWith("s") && !found.endsWith("ss") ? found.slice(0, -1) : found;
}

function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
