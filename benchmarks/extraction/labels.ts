/** Labels each block of a page with the share of its text that the corpus expects as main content. */
import type { PageTable } from "../../src/transform/main-content/page-table.ts";
import { alignWords } from "./align.ts";
import type { CorpusPage } from "./corpus.ts";

export interface BlockLabels {
  /** Share of the block's words that are expected, 0 to 1; -1 if the corpus does not say. */
  readonly share: Float32Array;
  /** Words of each block, counted as the scorer counts them. */
  readonly words: Float32Array;
  /** Words of the expected text; 0 when there is none. */
  readonly expectedWords: number;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const WORD_CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[\p{N}_]+/gu;

function tokenize(text: string, cjk: boolean | undefined): string[] {
  return text.toLowerCase().match(cjk ? WORD_CJK : WORD) ?? [];
}

export function blockText(table: PageTable, block: number): string {
  let text = "";
  for (let index = table.firstText[block]!; index < table.firstText[block + 1]!; index++) {
    text += table.texts[index]!.data;
  }
  return text.replace(/\s+/g, " ").trim();
}

export function labelBlocks(table: PageTable, page: CorpusPage): BlockLabels {
  const count = table.blockElement.length;
  const tokens = Array.from({ length: count }, (_, block) => tokenize(blockText(table, block), page.cjk));
  const words = Float32Array.from(tokens, ({ length }) => length);
  const share = new Float32Array(count).fill(-1);
  if (page.text === undefined) {
    labelBySnippets(table, page, share);
    return { share, words, expectedWords: 0 };
  }
  const expected = tokenize(page.text, page.cjk);
  labelByText(tokens, expected, share);
  return { share, words, expectedWords: expected.length };
}

/** The share is that of the words that the expected text has in the same order; 1 for a block that was only moved. */
function labelByText(tokens: readonly string[][], text: readonly string[], share: Float32Array): void {
  const ids = new Map<string, number>();
  const number = (word: string): number => {
    const id = ids.get(word) ?? ids.size;
    ids.set(word, id);
    return id;
  };
  const expected = Int32Array.from(text, number);
  const all = Int32Array.from(tokens.flat(), number);
  const match = alignWords(all, expected);
  const left = unmatchedShingles(expected, match);
  let from = 0;
  for (const [block, { length }] of tokens.entries()) {
    let hits = 0;
    for (let word = from; word < from + length; word++) if (match[word]! >= 0) hits++;
    share[block] = length > 0 ? hits / length : 0;
    if (length >= SHINGLE && hits / length < 0.5 && takeShingles(left, all.subarray(from, from + length))) {
      share[block] = 1;
    }
    from += length;
  }
}

/** Number of consecutive words in a shingle. */
const SHINGLE = 4;

function shinglesOf(words: Int32Array): string[] {
  const keys: string[] = [];
  for (let at = 0; at + SHINGLE <= words.length; at++) keys.push(words.subarray(at, at + SHINGLE).join(" "));
  return keys;
}

/** The shingles of the expected text without any matched word, and how often each occurs. */
function unmatchedShingles(expected: Int32Array, match: Int32Array): Map<string, number> {
  const used = new Uint8Array(expected.length);
  for (const to of match) if (to >= 0) used[to] = 1;
  const left = new Map<string, number>();
  for (const [at, key] of shinglesOf(expected).entries()) {
    if (!used.subarray(at, at + SHINGLE).includes(1)) left.set(key, (left.get(key) ?? 0) + 1);
  }
  return left;
}

/** Whether most shingles of a block are left; if so, they are used up. */
function takeShingles(left: Map<string, number>, words: Int32Array): boolean {
  if (left.size === 0) return false;
  const keys = shinglesOf(words);
  const found = keys.filter((key) => (left.get(key) ?? 0) > 0).length;
  if (found < keys.length * 0.6) return false;
  for (const key of keys) left.set(key, Math.max(0, (left.get(key) ?? 0) - 1));
  return true;
}

const plain = (text: string): string => text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();

function labelBySnippets(table: PageTable, page: CorpusPage, share: Float32Array): void {
  const wanted = (page.with ?? []).map(plain);
  const unwanted = (page.without ?? []).map(plain);
  for (let block = 0; block < share.length; block++) {
    const text = plain(blockText(table, block));
    if (text === "") continue;
    if (wanted.some((snippet) => text.includes(snippet))) share[block] = 1;
    else if (unwanted.some((snippet) => text.includes(snippet) || (text.length > 12 && snippet.includes(text)))) {
      share[block] = 0;
    }
  }
}
