/** Totals of what is in and around every element, from one pass up and one pass down the element table. */
import { MEANINGS } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { BLOCK, rankOf, TAG_COUNT, tagId } from "./tags.ts";
import { HASH_SEED, mixHash, STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Tags that are significant above a block, one bit each. */
export const STRUCTURAL_TAGS = (
  "nav header footer aside main article form ul li table td figure section noscript details dialog button " +
  "blockquote pre a p ol dl label"
).split(" ");

export interface ElementTotals {
  readonly words: Float32Array;
  readonly linkWords: Float32Array;
  readonly blocks: Float32Array;
  /** Words of blocks that read like running text. */
  readonly proseWords: Float32Array;
  readonly headings: Float32Array;
  /** Meanings of names: of the element and the two around it, and of all around it; then likewise structural tags. */
  readonly nearMeanings: Int32Array;
  readonly allMeanings: Int32Array;
  readonly nearTags: Int32Array;
  readonly allTags: Int32Array;
  /** Lexicon ratings on the way down: sum, lowest, and a sum in which nearer elements count more. */
  readonly ratingSum: Float32Array;
  readonly ratingLow: Float32Array;
  readonly ratingNear: Float32Array;
  /** The nearest element around (or the element itself) that has at least two siblings like it; -1 if there is none. */
  readonly repeated: Int32Array;
  /** How many siblings are like it, including the element itself, and its place among them. */
  readonly alike: Int32Array;
  readonly alikePlace: Int32Array;
  /** Hash of tags and first classes from the root down. */
  readonly path: Int32Array;
  /** The element reached by going down from the root as long as one child contains most of the prose. */
  readonly core: number;
  /** Steps up to the way from the root to the core, and the element just below that way. */
  readonly offCore: Int32Array;
  readonly branch: Int32Array;
}

/** By the number of a tag. */
const structuralBits = new Int32Array(TAG_COUNT);
STRUCTURAL_TAGS.forEach((name, bit) => {
  structuralBits[tagId(name)] = 1 << bit;
});
if (MEANINGS.length > 31 || STRUCTURAL_TAGS.length > 31) throw new Error("more meanings than bits");

/** The unlinked words of a block that reads like running text; 0 for others. */
export function proseWords(table: PageTable, block: number): number {
  const row = block * STATISTIC_COUNT;
  const statistics = table.statistics;
  const words = statistics[row + STATISTIC.words]! - statistics[row + STATISTIC.linkWords]!;
  if (words < 8) return 0;
  const marks = statistics[row + STATISTIC.sentenceEnds]! + statistics[row + STATISTIC.commas]!;
  return marks > 0 || words > 25 ? words : 0;
}

export function totalElements(table: PageTable): ElementTotals {
  const { arrays } = table;
  const count = table.elements.length;
  const totals = {
    words: arrays.floats(count),
    linkWords: arrays.floats(count),
    blocks: arrays.floats(count),
    proseWords: arrays.floats(count),
    headings: arrays.floats(count),
    nearMeanings: arrays.integers(count),
    allMeanings: arrays.integers(count),
    nearTags: arrays.integers(count),
    allTags: arrays.integers(count),
    ratingSum: arrays.floats(count),
    ratingLow: arrays.floats(count),
    ratingNear: arrays.floats(count),
    repeated: arrays.integers(count),
    alike: arrays.integers(count),
    alikePlace: arrays.integers(count),
    path: arrays.integers(count),
    core: -1,
    offCore: arrays.integers(count),
    branch: arrays.integers(count),
  };
  countBlocks(table, totals);
  handDown(table, totals);
  totals.core = findCore(table, totals);
  measureCoreDistance(table, totals);
  return totals;
}

type Totals = ReturnType<typeof totalElements>;

function countBlocks(table: PageTable, totals: Totals): void {
  const { statistics, blockElement, parent, tag } = table;
  for (let block = 0; block < blockElement.length; block++) {
    const element = blockElement[block]!;
    const row = block * STATISTIC_COUNT;
    totals.words[element]! += statistics[row + STATISTIC.words]!;
    totals.linkWords[element]! += statistics[row + STATISTIC.linkWords]!;
    totals.proseWords[element]! += proseWords(table, block);
    totals.blocks[element]!++;
    if (rankOf(tag[element]!) > 0) totals.headings[element]!++;
  }
  for (let element = table.elements.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around < 0) continue;
    totals.words[around]! += totals.words[element]!;
    totals.linkWords[around]! += totals.linkWords[element]!;
    totals.proseWords[around]! += totals.proseWords[element]!;
    totals.blocks[around]! += totals.blocks[element]!;
    totals.headings[around]! += totals.headings[element]!;
  }
}

function handDown(table: PageTable, totals: Totals): void {
  const { parent, tag, meanings, ratings, shapes, flags, elements } = table;
  const counts = new Map<number, number>();
  const keys = table.arrays.integers(elements.length);
  for (let element = 0; element < elements.length; element++) {
    const around = parent[element]!;
    const structural = structuralBits[tag[element]!]!;
    const rating = ratings[element]!;
    const shape = mixHash(tag[element]! + 77, shapes[element]!);
    if (around < 0) {
      totals.allMeanings[element] = meanings[element]!;
      totals.allTags[element] = structural;
      totals.ratingSum[element] = totals.ratingNear[element] = rating;
      totals.ratingLow[element] = Math.min(0, rating);
      totals.path[element] = mixHash(HASH_SEED, shape);
    } else {
      const next = parent[around]!;
      totals.allMeanings[element] = totals.allMeanings[around]! | meanings[element]!;
      totals.allTags[element] = totals.allTags[around]! | structural;
      totals.nearMeanings[element] = meanings[element]! | meanings[around]! | (next >= 0 ? meanings[next]! : 0);
      totals.nearTags[element] =
        structural | structuralBits[tag[around]!]! | (next >= 0 ? structuralBits[tag[next]!]! : 0);
      totals.ratingSum[element] = totals.ratingSum[around]! + rating;
      totals.ratingLow[element] = Math.min(totals.ratingLow[around]!, rating);
      totals.ratingNear[element] = totals.ratingNear[around]! * 0.6 + rating;
      totals.path[element] = mixHash(totals.path[around]!, shape);
    }
    if ((flags[element]! & BLOCK) !== 0 && totals.words[element]! > 0) {
      const key = mixHash(shape, around * 31 + 7);
      keys[element] = key;
      const place = counts.get(key) ?? 0;
      totals.alikePlace[element] = place;
      counts.set(key, place + 1);
    }
  }
  for (let element = 0; element < elements.length; element++) {
    const around = parent[element]!;
    const alike = keys[element] === 0 ? 0 : (counts.get(keys[element]!) ?? 0);
    totals.alike[element] = alike;
    totals.repeated[element] = alike >= 3 ? element : around >= 0 ? totals.repeated[around]! : -1;
  }
}

/** Goes down from the root as long as one child contains most of the prose. */
function findCore(table: PageTable, totals: Totals): number {
  let core = -1;
  let most = 0;
  for (let element = 0; element < table.elements.length; element++) {
    if (table.parent[element]! < 0 && totals.proseWords[element]! > most) {
      core = element;
      most = totals.proseWords[element]!;
    }
  }
  if (core < 0) return core;
  for (let element = core + 1; element < table.end[core]!; ) {
    if (totals.proseWords[element]! >= totals.proseWords[core]! * 0.6) {
      if ((table.flags[element]! & BLOCK) === 0 || totals.blocks[element]! < 2) break;
      core = element;
      element = core + 1;
    } else element = table.end[element]!;
  }
  return core;
}

function measureCoreDistance(table: PageTable, totals: Totals): void {
  const onWay = table.arrays.bytes(table.elements.length);
  for (let element = totals.core; element >= 0; element = table.parent[element]!) onWay[element] = 1;
  for (let element = 0; element < table.elements.length; element++) {
    const around = table.parent[element]!;
    if (onWay[element] === 1) {
      totals.branch[element] = element;
      continue;
    }
    totals.offCore[element] = around < 0 ? 1 : totals.offCore[around]! + 1;
    totals.branch[element] = around < 0 || onWay[around] === 1 ? element : totals.branch[around]!;
  }
}
