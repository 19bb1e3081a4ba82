/** Describes every block again, by the first judgement of its neighbours, containers and likes. */
import type { ElementTotals } from "./element-totals.ts";
import { logCount } from "./log-count.ts";
import type { PageArrays } from "./page-arrays.ts";
import type { PageTable } from "./page-table.ts";
import { rankOf } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** The columns that the second look adds. */
export const SECOND_FEATURES: readonly string[] = [
  "own",
  "previous",
  "next",
  "secondPrevious",
  "secondNext",
  "window3",
  "window10",
  "before",
  "after",
  "expectedWords",
  "rank",
  "inner",
  "outer",
  "outest",
  "branch",
  "core",
  "item",
  "items",
  "itemWordsInside",
  "path",
  "headingAbove",
  "section",
  "sinceMain",
  "untilMain",
  "pageBest",
  "pageMean",
  "chosenShare",
  "nearerThanInner",
];

const share = (part: number, whole: number, otherwise: number): number => (whole > 0 ? part / whole : otherwise);

/**
 * Features in columns, as in the first look. Fills `columns`, which must be zeros, or a new table.
 *
 * @param chances the results of the first look
 * @param sums the same, before the logistic function
 */
export function lookAgain(
  table: PageTable,
  totals: ElementTotals,
  chances: Float32Array,
  sums: Float32Array,
  columns: Float32Array = table.arrays.floats(chances.length * SECOND_FEATURES.length),
): Float32Array {
  const { parent, blockElement, statistics } = table;
  const blocks = blockElement.length;
  const sizes = table.arrays.floats(blocks);
  const weightOf = table.arrays.doubles(table.elements.length);
  const insideOf = table.arrays.doubles(table.elements.length);
  const pathWeight = new Map<number, [number, number]>();
  const weightBefore = table.arrays.doubles(blocks + 1);
  const insideBefore = table.arrays.doubles(blocks + 1);
  let best = -20;
  for (let block = 0; block < blocks; block++) {
    const size = statistics[block * STATISTIC_COUNT + STATISTIC.words]! + 0.5;
    sizes[block] = size;
    const inside = size * chances[block]!;
    const element = blockElement[block]!;
    weightOf[element]! += size;
    insideOf[element]! += inside;
    weightBefore[block + 1] = weightBefore[block]! + size;
    insideBefore[block + 1] = insideBefore[block]! + inside;
    const path = totals.path[element]!;
    const entry = pathWeight.get(path);
    if (entry === undefined) pathWeight.set(path, [size, inside]);
    else {
      entry[0] += size;
      entry[1] += inside;
    }
    if (sums[block]! > best) best = sums[block]!;
  }
  for (let element = table.elements.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around < 0) continue;
    weightOf[around]! += weightOf[element]!;
    insideOf[around]! += insideOf[element]!;
  }
  const sections = sectionMeans(table, chances, sizes);
  const total = insideBefore[blocks]!;
  const expectedWords = logCount(total);
  const pageMean = share(total, weightBefore[blocks]!, 0);
  const likes = groupMeans(table, totals, weightOf, insideOf);
  const { since, until } = distances(table, chances);
  const means = elementMeans(weightOf, insideOf, table.arrays);
  const core = means[totals.core + 1]!;
  const chosenShare = pageMean * logCount(weightBefore[blocks]!);
  let heading = -1;
  for (let block = 0; block < blocks; block++) {
    const element = blockElement[block]!;
    const inner = parent[element]!;
    const outer = inner < 0 ? -1 : parent[inner]!;
    const outest = outer < 0 ? -1 : parent[outer]!;
    const repeated = totals.repeated[element]!;
    const path = pathWeight.get(totals.path[element]!)!;
    let column = 0;
    columns[blocks * column++ + block] = sums[block]!;
    columns[blocks * column++ + block] = block > 0 ? sums[block - 1]! : -8;
    columns[blocks * column++ + block] = block + 1 < blocks ? sums[block + 1]! : -8;
    columns[blocks * column++ + block] = block > 1 ? sums[block - 2]! : -8;
    columns[blocks * column++ + block] = block + 2 < blocks ? sums[block + 2]! : -8;
    columns[blocks * column++ + block] = windowMean(weightBefore, insideBefore, block, 3);
    columns[blocks * column++ + block] = windowMean(weightBefore, insideBefore, block, 10);
    columns[blocks * column++ + block] = share(insideBefore[block]!, total, 0);
    columns[blocks * column++ + block] = share(total - insideBefore[block + 1]!, total, 0);
    columns[blocks * column++ + block] = expectedWords;
    columns[blocks * column++ + block] = best - sums[block]!;
    columns[blocks * column++ + block] = means[inner + 1]!;
    columns[blocks * column++ + block] = means[outer + 1]!;
    columns[blocks * column++ + block] = means[outest + 1]!;
    columns[blocks * column++ + block] = means[totals.branch[element]! + 1]!;
    columns[blocks * column++ + block] = core;
    columns[blocks * column++ + block] = means[repeated + 1]!;
    columns[blocks * column++ + block] = repeated < 0 ? -1 : likes[repeated]!;
    columns[blocks * column++ + block] = repeated < 0 ? -1 : logCount(insideOf[repeated]!);
    columns[blocks * column++ + block] = share(path[1], path[0], 0);
    columns[blocks * column++ + block] = heading < 0 ? -8 : sums[heading]!;
    columns[blocks * column++ + block] = sections[block]!;
    columns[blocks * column++ + block] = since[block]!;
    columns[blocks * column++ + block] = until[block]!;
    columns[blocks * column++ + block] = best;
    columns[blocks * column++ + block] = pageMean;
    columns[blocks * column++ + block] = chosenShare;
    columns[blocks * column++ + block] = chances[block]! - Math.max(0, means[inner + 1]!);
    if (table.headingRanks[block]! > 0) heading = block;
  }
  return columns;
}

/** The mean chance in each element, at its index plus one; the first entry stands for no element. */
function elementMeans(weightOf: Float64Array, insideOf: Float64Array, arrays: PageArrays): Float64Array {
  const means = arrays.doubles(weightOf.length + 1);
  means[0] = -1;
  for (let element = 0; element < weightOf.length; element++) {
    means[element + 1] = share(insideOf[element]!, weightOf[element]!, -1);
  }
  return means;
}

/** The mean chance of a block and `reach` blocks on each side, from the sums over all blocks before each block. */
function windowMean(weightBefore: Float64Array, insideBefore: Float64Array, block: number, reach: number): number {
  const from = Math.max(0, block - reach);
  const to = Math.min(weightBefore.length - 1, block + reach + 1);
  return share(insideBefore[to]! - insideBefore[from]!, weightBefore[to]! - weightBefore[from]!, 0);
}

/** The mean chance of what follows a block up to the next heading (for a heading, of its section). */
function sectionMeans(table: PageTable, chances: Float32Array, sizes: Float32Array): Float32Array {
  const means = table.arrays.floats(chances.length);
  let weight = 0;
  let inside = 0;
  for (let block = chances.length - 1; block >= 0; block--) {
    means[block] = share(inside, weight, -1);
    if (rankOf(table.tag[table.blockElement[block]!]!) > 0) {
      weight = 0;
      inside = 0;
    } else {
      weight += sizes[block]!;
      inside += sizes[block]! * chances[block]!;
    }
  }
  return means;
}

/** For every repeated element, the mean over it and its likes. */
function groupMeans(
  table: PageTable,
  totals: ElementTotals,
  weightOf: Float64Array,
  insideOf: Float64Array,
): Float32Array {
  const count = table.elements.length;
  const weight = table.arrays.doubles(count);
  const inside = table.arrays.doubles(count);
  for (let element = 0; element < count; element++) {
    const around = table.parent[element]!;
    if (totals.alike[element]! < 3 || around < 0) continue;
    weight[around]! += weightOf[element]!;
    inside[around]! += insideOf[element]!;
  }
  const means = table.arrays.floats(count);
  for (let element = 0; element < count; element++) {
    const around = table.parent[element]!;
    if (totals.alike[element]! >= 3 && around >= 0) means[element] = share(inside[around]!, weight[around]!, 0);
  }
  return means;
}

/** The distance to a block that does not exist. */
const FAR = 1000;

/** Distances, as logarithms, from the last and to the next block that is probably main content. */
function distances(table: PageTable, chances: Float32Array): { since: Float32Array; until: Float32Array } {
  const since = table.arrays.floats(chances.length);
  const until = table.arrays.floats(chances.length);
  let distance = FAR;
  for (let block = 0; block < chances.length; block++) {
    since[block] = logCount(distance);
    distance = chances[block]! > 0.5 ? 0 : distance + 1;
  }
  distance = FAR;
  for (let block = chances.length - 1; block >= 0; block--) {
    until[block] = logCount(distance);
    distance = chances[block]! > 0.5 ? 0 : distance + 1;
  }
  return { since, until };
}
