/** Orders pages by how well their URL, title and description answer a few search words. */

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

/**
 * The same pages, the best first (BM25); pages of equal score, and those without any of the words, keep their order.
 * A word also counts half where it only begins a word of the page. Letters are compared without case and accents;
 * Chinese, Japanese and Korean text by pairs of characters.
 *
 * @example
 * rankByRelevance([{ url: "https://example.com/about" }, { url: "https://example.com/docs/install" }], "install docs")[0]?.url
 *   === "https://example.com/docs/install"
 */
export function rankByRelevance<Page extends RankedPage>(pages: readonly Page[], search: string): Page[] {
  const query = [...new Set(words(search))];
  if (query.length === 0) return [...pages];
  const counted = pages.map((page) => countWords(page, query));
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

function countWords(page: RankedPage, query: readonly string[]): { counts: number[]; length: number } {
  const counts = query.map(() => 0);
  let length = 0;
  for (const [text, weight] of fieldsOf(page)) {
    for (const word of words(text)) {
      length += weight;
      for (const [index, wanted] of query.entries()) {
        if (word === wanted) counts[index]! += weight;
        else if (wanted.length > 2 && word.startsWith(wanted)) counts[index]! += weight / 2;
      }
    }
  }
  return { counts, length };
}

function fieldsOf({ url, title, description }: RankedPage): [text: string, weight: number][] {
  const parsed = URL.parse(url);
  const fields: [string, number][] =
    parsed === null
      ? [[url, weights.path]]
      : [
          [parsed.hostname, weights.host],
          [decoded(parsed.pathname + parsed.search + parsed.hash), weights.path],
        ];
  if (title !== undefined) fields.push([title, weights.title]);
  if (description !== undefined) fields.push([description, weights.description]);
  return fields;
}

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu;
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const accents = /\p{M}+/gu;

function words(text: string): string[] {
  const plain = text.slice(0, 2000).normalize("NFKD").replace(accents, "").normalize("NFC").toLowerCase();
  return (plain.match(word) ?? []).flatMap((found) => (withoutSpaces.test(found) ? pairs(found) : singular(found)));
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
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
