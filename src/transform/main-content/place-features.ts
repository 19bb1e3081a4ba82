/** Features of a block's place: on the page, under headings, between its neighbours. */
import { firstBlocks } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { type BlockFeatures, COLUMN, share } from "./feature-columns.ts";
import { logCount } from "./log-count.ts";
import type { PageTable } from "./page-table.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Neighbours on each side that count as surroundings. */
const WINDOW = 4;

export function describePlaces(table: PageTable, totals: ElementTotals, features: BlockFeatures): void {
  const sums = sumUp(table, features);
  describePosition(sums, features);
  describeProse(sums, features);
  describeWindows(sums, features);
  describeHeadings(table, totals, features);
  for (let block = 0; block < features.blocks; block++) {
    describeNeighbour(COLUMN.previousWords, block, block - 1, table, totals, features);
    describeNeighbour(COLUMN.nextWords, block, block + 1, table, totals, features);
  }
}

/** For each block, the sums over all blocks before it; with one entry more, for the whole page. */
interface Sums {
  readonly words: Float64Array;
  readonly links: Float64Array;
  readonly prose: Float64Array;
  readonly text: Float64Array;
  readonly rating: Float64Array;
}

function sumUp({ arrays, statistics }: PageTable, features: BlockFeatures): Sums {
  const blocks = features.blocks;
  const sums = {
    words: arrays.doubles(blocks + 1),
    links: arrays.doubles(blocks + 1),
    prose: arrays.doubles(blocks + 1),
    text: arrays.doubles(blocks + 1),
    rating: arrays.doubles(blocks + 1),
  };
  for (let block = 0; block < blocks; block++) {
    const row = block * STATISTIC_COUNT;
    const words = statistics[row + STATISTIC.words]!;
    const links = statistics[row + STATISTIC.linkWords]!;
    const prose = words >= 15 && links < words * 0.4 && statistics[row + STATISTIC.sentenceEnds]! > 0;
    sums.words[block + 1] = sums.words[block]! + words;
    sums.links[block + 1] = sums.links[block]! + links;
    sums.prose[block + 1] = sums.prose[block]! + (prose ? words : 0);
    sums.text[block + 1] = sums.text[block]! + features.get(COLUMN.textMean, block);
    sums.rating[block + 1] = sums.rating[block]! + features.get(COLUMN.ratingNear, block);
  }
  return sums;
}

function describePosition({ words, links, prose }: Sums, features: BlockFeatures): void {
  const blocks = features.blocks;
  const total = words[blocks]!;
  for (let block = 0; block < blocks; block++) {
    features.set(COLUMN.blocksBefore, block, block / blocks);
    features.set(COLUMN.wordsBefore, block, share(words[block]!, total));
    features.set(COLUMN.wordsBeforeCount, block, logCount(words[block]!));
    features.set(COLUMN.wordsAfterCount, block, logCount(total - words[block]!));
  }
  features.fill(COLUMN.pageWords, logCount(total));
  features.fill(COLUMN.pageLinkShare, share(links[blocks]!, total));
  features.fill(COLUMN.pageBlocks, Math.log2(blocks));
  features.fill(COLUMN.pageProseShare, share(prose[blocks]!, total));
}

/** Distances to the first and last running text. */
function describeProse({ prose }: Sums, features: BlockFeatures): void {
  const blocks = features.blocks;
  let first = 0;
  while (first < blocks && prose[first + 1] === 0) first++;
  let last = blocks - 1;
  while (last >= 0 && prose[last + 1] === prose[last]) last--;
  for (let block = 0; block < blocks; block++) {
    features.set(COLUMN.afterLastProse, block, last < 0 ? -9 : signedLog(block - last));
    features.set(COLUMN.beforeFirstProse, block, first === blocks ? -9 : signedLog(first - block));
  }
}

function describeWindows({ words, links, prose, text, rating }: Sums, features: BlockFeatures): void {
  for (let block = 0; block < features.blocks; block++) {
    const from = Math.max(0, block - WINDOW);
    const to = Math.min(features.blocks, block + WINDOW + 1);
    const within = words[to]! - words[from]!;
    features.set(COLUMN.windowWords, block, logCount(within / (to - from)));
    features.set(COLUMN.windowLinkShare, block, share(links[to]! - links[from]!, within));
    features.set(COLUMN.windowProse, block, share(prose[to]! - prose[from]!, within));
    features.set(COLUMN.windowText, block, (text[to]! - text[from]!) / (to - from));
    features.set(COLUMN.windowRating, block, (rating[to]! - rating[from]!) / (to - from));
  }
}

/** The heading above a block, the heading of higher rank above that, the one above its list, and the page's title. */
function describeHeadings(table: PageTable, totals: ElementTotals, features: BlockFeatures): void {
  const { blockElement, parent } = table;
  const first = firstBlocks(table);
  const title = titleHeading(features);
  const coreFirst = totals.core < 0 ? 0 : first[totals.core]!;
  const coreLast = coreFirst + (totals.core < 0 ? 0 : totals.blocks[totals.core]!);
  const open: number[] = [];
  const headingBefore = table.arrays.integers(features.blocks);
  const read = (column: number, heading: number, otherwise: number): number =>
    heading < 0 ? otherwise : features.get(column, heading);
  let heading = -1;
  for (let block = 0; block < features.blocks; block++) {
    headingBefore[block] = heading;
    const level = features.get(COLUMN.headingLevel, block);
    while (level > 0 && open.length > 0 && features.get(COLUMN.headingLevel, open.at(-1)!) >= level) open.pop();
    const upper = (level > 0 ? open.at(-1) : open.at(-2)) ?? -1;
    if (level > 0) open.push(block);
    const repeated = totals.repeated[blockElement[block]!]!;
    const list = repeated < 0 || parent[repeated]! < 0 ? -1 : headingBefore[first[parent[repeated]!]!]!;
    const same = heading >= 0 && parent[blockElement[heading]!] === parent[blockElement[block]!];
    features.set(COLUMN.headingAboveLevel, block, read(COLUMN.headingLevel, heading, 0));
    features.set(COLUMN.headingAboveText, block, read(COLUMN.textMean, heading, 0));
    features.set(COLUMN.headingAbovePair, block, read(COLUMN.pairSum, heading, 0));
    features.set(COLUMN.headingAboveWords, block, read(COLUMN.words, heading, -1));
    features.set(COLUMN.headingAboveRating, block, read(COLUMN.ratingNear, heading, 0));
    features.set(COLUMN.headingSameParent, block, same ? 1 : 0);
    features.set(COLUMN.upperLevel, block, read(COLUMN.headingLevel, upper, 0));
    features.set(COLUMN.upperText, block, read(COLUMN.textMean, upper, 0));
    features.set(COLUMN.upperPair, block, read(COLUMN.pairSum, upper, 0));
    features.set(COLUMN.listHeadingText, block, read(COLUMN.textMean, list, 0));
    features.set(COLUMN.listHeadingPair, block, read(COLUMN.pairSum, list, 0));
    features.set(COLUMN.listHeadingLevel, block, read(COLUMN.headingLevel, list, 0));
    features.set(COLUMN.coreStart, block, signedLog(block - coreFirst));
    features.set(COLUMN.coreEnd, block, signedLog(coreLast - block));
    features.set(COLUMN.fromTitleHeading, block, signedLog(title < 0 ? -99 : block - title));
    if (level > 0) heading = block;
  }
}

/** The block that shows the page's title, preferably a heading; -1 if there is none. */
function titleHeading(features: BlockFeatures): number {
  let found = -1;
  let best = 0.3;
  for (let block = 0; block < features.blocks; block++) {
    const level = features.get(COLUMN.headingLevel, block);
    const title = features.get(COLUMN.titleShare, block) * (level === 1 ? 2 : level > 0 ? 1.2 : 0.5);
    if (title > best) {
      best = title;
      found = block;
    }
  }
  return found;
}

/** Fills three consecutive columns: words, link share, whether they are alike. */
function describeNeighbour(
  first: number,
  block: number,
  other: number,
  { blockElement }: PageTable,
  { path }: ElementTotals,
  features: BlockFeatures,
): void {
  const there = other >= 0 && other < features.blocks;
  features.set(first, block, there ? features.get(COLUMN.words, other) : -1);
  features.set(first + 1, block, there ? features.get(COLUMN.linkShare, other) : -1);
  features.set(first + 2, block, there && path[blockElement[block]!] === path[blockElement[other]!] ? 1 : 0);
}

function signedLog(distance: number): number {
  return Math.sign(distance) * logCount(Math.abs(distance));
}
