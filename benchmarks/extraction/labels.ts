/** Labels the blocks of a page with how much of their text the corpus expects as main content. */
import type { PageTable } from "../../src/transform/main-content/page-table.ts";
import { alignWords } from "./align.ts";
import type { CorpusPage } from "./corpus.ts";

export interface BlockLabels {
  /** Share of the block's words that are expected, 0 to 1; -1 where the corpus does not say. */
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
  const share = new Float32Array(count).fill(-1);
  const words = new Float32Array(count);
  const tokens: string[][] = [];
  for (let block = 0; block < count; block++) {
    tokens.push(tokenize(blockText(table, block), page.cjk));
    words[block] = tokens[block]!.length;
  }
  if (page.text === undefined) {
    labelBySnippets(table, page, share);
    return { share, words, expectedWords: 0 };
  }
  const ids = new Map<string, number>();
  const number = (word: string): number => {
    const id = ids.get(word) ?? ids.size;
    ids.set(word, id);
    return id;
  };
  const expected = Int32Array.from(tokenize(page.text, page.cjk), number);
  const all = Int32Array.from(tokens.flat(), number);
  const match = alignWords(all, expected);
  const left = new Map<string, number>();
  const used = new Uint8Array(expected.length);
  for (const to of match) if (to >= 0) used[to] = 1;
  const SHINGLE = 4;
  for (let j = 0; j + SHINGLE <= expected.length; j++) {
    let free = true;
    for (let k = 0; k < SHINGLE; k++) if (used[j + k] === 1) free = false;
    if (free) {
      const key = expected.subarray(j, j + SHINGLE).join(" ");
      left.set(key, (left.get(key) ?? 0) + 1);
    }
  }
  let from = 0;
  for (let block = 0; block < count; block++) {
    const length = words[block]!;
    let hits = 0;
    for (let k = from; k < from + length; k++) if (match[k]! >= 0) hits++;
    share[block] = length > 0 ? hits / length : 0;
    if (length >= SHINGLE && hits / length < 0.5 && left.size > 0) {
      const keys: string[] = [];
      let found = 0;
      for (let k = from; k + SHINGLE <= from + length; k++) {
        const key = all.subarray(k, k + SHINGLE).join(" ");
        keys.push(key);
        if ((left.get(key) ?? 0) > 0) found++;
      }
      if (found >= keys.length * 0.6) {
        share[block] = 1;
        for (const key of keys) left.set(key, Math.max(0, (left.get(key) ?? 0) - 1));
      }
    }
    from += length;
  }
  return { share, words, expectedWords: expected.length };
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
