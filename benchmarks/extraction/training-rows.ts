/** Converts the page sets into rows of numbers, one per block, each with the expected result and its weight. */
import { computeBlockFeatures } from "../../src/transform/main-content/block-features.ts";
import { readDeclaredText } from "../../src/transform/main-content/declared-text.ts";
import { type ElementTotals, totalElements } from "../../src/transform/main-content/element-totals.ts";
import { BLOCK_FEATURES } from "../../src/transform/main-content/feature-columns.ts";
import { computePageFeatures } from "../../src/transform/main-content/page-features.ts";
import { buildPageTable, type PageTable } from "../../src/transform/main-content/page-table.ts";
import { readTitle, titleWordHashes } from "../../src/transform/main-content/page-title.ts";
import { pageWords } from "../../src/transform/main-content/type-words.ts";
import { knownType, type Lexicons, parse, type TrainingPage } from "./dataset.ts";
import { blockText } from "./labels.ts";

/** The weight of a page in each set; sets whose expected text is the output of another tool count less. */
const SET_WEIGHT: Record<string, number> = {
  wcxb: 1,
  scrapinghub: 1,
  trafilatura: 1,
  mozilla: 0.7,
  daniel: 0.7,
  "chinese-mit": 0.7,
  defuddle: 0.6,
  webmainbench: 1,
  own: 1,
};
const SNIPPET_WEIGHT = 0.12;
const MOST_PAGE_WEIGHT = 4;

export interface PageRows extends TrainingPage {
  /** The index of its first row; it has a row for each block. */
  readonly from: number;
  readonly blocks: number;
  readonly table: PageTable;
  readonly totals: ElementTotals;
  readonly pageFeatures: Float32Array;
  readonly texts: readonly string[];
  readonly fold: number;
}

export interface TrainingRows {
  readonly pages: readonly PageRows[];
  readonly count: number;
  readonly columns: Float32Array[];
  readonly target: Float32Array;
  readonly weight: Float32Array;
  readonly words: Float32Array;
}

export function makeRows(training: readonly TrainingPage[], lexicons: Lexicons, folds: number): TrainingRows {
  let count = 0;
  const values: Float32Array[] = [];
  const pages = training.map((one): PageRows => {
    const table = buildPageTable(parse(one.html), lexicons.names.without(one.group));
    const totals = totalElements(table);
    const titleWords = titleWordHashes(readTitle(table));
    const features = computeBlockFeatures(table, totals, {
      titleWords,
      declared: readDeclaredText(table),
      rateText: lexicons.text.without(one.group),
    });
    values.push(features.values);
    const rows = {
      ...one,
      from: count,
      blocks: features.blocks,
      table,
      totals,
      pageFeatures: computePageFeatures(
        table,
        totals,
        one.page.url,
        lexicons.types.rate(new Set(pageWords(table, one.page.url)), knownType(one.page)),
      ),
      texts: Array.from({ length: features.blocks }, (_, block) => blockText(table, block)),
      fold: hashText(one.group) % folds,
    };
    count += features.blocks;
    return rows;
  });
  const columns = BLOCK_FEATURES.map((_, column) => {
    const all = new Float32Array(count);
    pages.forEach(({ from, blocks }, index) => {
      all.set(values[index]!.subarray(column * blocks, (column + 1) * blocks), from);
    });
    return all;
  });
  return { pages, count, columns, ...targets(pages, count) };
}

function targets(pages: readonly PageRows[], count: number): Pick<TrainingRows, "target" | "weight" | "words"> {
  const target = new Float32Array(count);
  const weight = new Float32Array(count);
  const words = new Float32Array(count);
  for (const { page, labels, from, blocks } of pages) {
    let sum = 0;
    for (let block = 0; block < blocks; block++) {
      const row = from + block;
      const share = labels.share[block]!;
      words[row] = labels.words[block]!;
      target[row] = Math.max(0, share);
      if (share < 0) continue;
      const size = (labels.words[block]! + 2) / (labels.expectedWords + 60);
      weight[row] = (SET_WEIGHT[page.set] ?? 1) * Math.min(1, page.text === undefined ? SNIPPET_WEIGHT : size);
      sum += weight[row]!;
    }
    for (let row = from; row < from + blocks && sum > MOST_PAGE_WEIGHT; row++) weight[row]! *= MOST_PAGE_WEIGHT / sum;
  }
  return { target, weight, words };
}

/** Spreads groups evenly over folds. */
function hashText(text: string): number {
  let hash = 7;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
