/** Features of what is around a block: names, containers, likes, the core of the page. */
import { type ElementTotals, STRUCTURAL_TAGS } from "./element-totals.ts";
import { type BlockFeatures, COLUMN, NAME_BITS, share, TAG_BITS } from "./feature-columns.ts";
import { hrefAround, isContact } from "./link-around.ts";
import { logCount } from "./log-count.ts";
import { IN_HIDDEN, IN_LINK, type PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const MAIN_BIT = 1 << STRUCTURAL_TAGS.indexOf("main");
const ARTICLE_BIT = 1 << STRUCTURAL_TAGS.indexOf("article");
const ARTICLE = tagId("article");
const MAIN = tagId("main");

export function describeSurroundings(table: PageTable, totals: ElementTotals, features: BlockFeatures): void {
  const text = textRatings(table, totals, features);
  for (let block = 0; block < features.blocks; block++) {
    describeNames(table, totals, block, features);
    describeContainers(table, totals, text, block, features);
    describeLikes(table, totals, text, block, features);
  }
  describePaths(table, totals, features);
  describeLandmarks(table, totals, features);
}

function describeNames(table: PageTable, totals: ElementTotals, block: number, features: BlockFeatures): void {
  const element = table.blockElement[block]!;
  const leaf = table.blockLeaf[block]!;
  features.set(COLUMN.tag, block, table.tag[element]!);
  features.set(COLUMN.headingLevel, block, table.headingRanks[block]!);
  features.set(COLUMN.hidden, block, (table.flags[leaf]! & IN_HIDDEN) !== 0 ? 1 : 0);
  features.set(COLUMN.depth, block, table.depth[element]!);
  features.set(COLUMN.linkKind, block, linkKind(table, leaf));
  features.set(COLUMN.ratingOwn, block, table.ratings[leaf]!);
  features.set(COLUMN.ratingNear, block, totals.ratingNear[leaf]!);
  features.set(COLUMN.ratingSum, block, totals.ratingSum[leaf]!);
  features.set(COLUMN.ratingLow, block, totals.ratingLow[leaf]!);
  const { nearMeanings, allMeanings, nearTags, allTags } = totals;
  features.setBits(NAME_BITS, nearMeanings[leaf]!, allMeanings[leaf]!, block);
  features.setBits(TAG_BITS, nearTags[leaf]!, allTags[leaf]!, block);
}

function describeContainers(
  table: PageTable,
  totals: ElementTotals,
  text: Float32Array,
  block: number,
  features: BlockFeatures,
): void {
  const { parent, depth, end } = table;
  const element = table.blockElement[block]!;
  const inner = parent[element]!;
  const outer = inner >= 0 ? parent[inner]! : -1;
  const outest = outer >= 0 ? parent[outer]! : -1;
  const branch = totals.branch[element]!;
  describeContainer(COLUMN.innerWords, inner, totals, block, features);
  describeContainer(COLUMN.outerWords, outer, totals, block, features);
  describeContainer(COLUMN.outestWords, outest, totals, block, features);
  describeContainer(COLUMN.branchWords, branch, totals, block, features);
  features.set(COLUMN.innerRating, block, inner < 0 ? 0 : text[inner]!);
  features.set(COLUMN.outerRating, block, outer < 0 ? 0 : text[outer]!);
  features.set(COLUMN.branchRating, block, text[branch]!);
  features.set(COLUMN.branchProse, block, share(totals.proseWords[branch]!, totals.words[branch]!));
  features.set(COLUMN.offCore, block, totals.offCore[element]!);
  const core = totals.core;
  if (core < 0) {
    features.set(COLUMN.coreAbove, block, -1);
    return;
  }
  features.set(COLUMN.coreAbove, block, depth[core]! - depth[branch]!);
  features.set(COLUMN.coreShare, block, share(totals.proseWords[branch]!, totals.proseWords[core]!));
  features.set(COLUMN.branchBefore, block, branch < core ? 0 : branch >= end[core]! ? 2 : 1);
}

/** Fills three consecutive columns: words, link share, blocks. */
function describeContainer(
  first: number,
  element: number,
  totals: ElementTotals,
  block: number,
  features: BlockFeatures,
): void {
  const there = element >= 0;
  features.set(first, block, there ? logCount(totals.words[element]!) : -1);
  features.set(first + 1, block, there ? share(totals.linkWords[element]!, totals.words[element]!) : -1);
  features.set(first + 2, block, there ? logCount(totals.blocks[element]!) : -1);
}

/** The repeated element around a block (a card, a post, a row), if there is one. */
function describeLikes(
  table: PageTable,
  totals: ElementTotals,
  text: Float32Array,
  block: number,
  features: BlockFeatures,
): void {
  const element = table.blockElement[block]!;
  const repeated = totals.repeated[element]!;
  if (repeated < 0) {
    features.set(COLUMN.repeatDepth, block, -1);
    return;
  }
  const around = table.parent[repeated]!;
  features.set(COLUMN.repeatRating, block, around < 0 ? 0 : text[around]!);
  features.set(COLUMN.repeats, block, logCount(totals.alike[repeated]!));
  features.set(COLUMN.repeatWords, block, logCount(totals.words[repeated]!));
  features.set(COLUMN.repeatLinkShare, block, share(totals.linkWords[repeated]!, totals.words[repeated]!));
  features.set(COLUMN.repeatBlocks, block, totals.blocks[repeated]!);
  features.set(COLUMN.repeatDepth, block, table.depth[element]! - table.depth[repeated]!);
  features.set(COLUMN.repeatHeadings, block, totals.headings[repeated]!);
}

/** All blocks of the page with the same tags and classes around them. */
function describePaths(table: PageTable, totals: ElementTotals, features: BlockFeatures): void {
  const groups = new Map<number, { blocks: number; words: number; linkWords: number }>();
  for (let block = 0; block < features.blocks; block++) {
    const path = totals.path[table.blockElement[block]!]!;
    const row = block * STATISTIC_COUNT;
    let group = groups.get(path);
    if (group === undefined) {
      group = { blocks: 0, words: 0, linkWords: 0 };
      groups.set(path, group);
    }
    group.blocks++;
    group.words += table.statistics[row + STATISTIC.words]!;
    group.linkWords += table.statistics[row + STATISTIC.linkWords]!;
  }
  for (let block = 0; block < features.blocks; block++) {
    const group = groups.get(totals.path[table.blockElement[block]!]!)!;
    features.set(COLUMN.pathBlocks, block, Math.log2(group.blocks));
    features.set(COLUMN.pathWords, block, logCount(group.words / group.blocks));
    features.set(COLUMN.pathLinkShare, block, share(group.linkWords, group.words));
  }
}

/** 2 inside `main` or `article`, 0 outside them, 1 if the page has neither. */
function describeLandmarks(table: PageTable, totals: ElementTotals, features: BlockFeatures): void {
  let articles = 0;
  let mains = 0;
  for (const id of table.tag) {
    if (id === ARTICLE) articles++;
    else if (id === MAIN) mains++;
  }
  for (let block = 0; block < features.blocks; block++) {
    const tags = totals.allTags[table.blockLeaf[block]!]!;
    features.set(COLUMN.inMain, block, (tags & MAIN_BIT) !== 0 ? 2 : mains > 0 ? 0 : 1);
    features.set(COLUMN.inArticle, block, (tags & ARTICLE_BIT) !== 0 ? 2 : articles > 0 ? 0 : 1);
  }
  features.fill(COLUMN.articles, Math.min(articles, 4));
}

/** The mean rating of the text in each element. */
function textRatings(table: PageTable, totals: ElementTotals, features: BlockFeatures): Float32Array {
  const ratings = table.arrays.floats(table.elements.length);
  for (let block = 0; block < table.blockElement.length; block++) {
    ratings[table.blockElement[block]!]! += features.get(COLUMN.textMean, block);
  }
  for (let element = ratings.length - 1; element > 0; element--) {
    const around = table.parent[element]!;
    if (around >= 0) ratings[around]! += ratings[element]!;
  }
  for (let element = 0; element < ratings.length; element++) ratings[element]! /= Math.max(1, totals.blocks[element]!);
  return ratings;
}

/** Where the link around a text leads: 0 no link, 1 nowhere, 2 mail or phone, 3 within the site, 4 out of it. */
function linkKind(table: PageTable, leaf: number): number {
  if ((table.flags[leaf]! & IN_LINK) === 0) return 0;
  const href = hrefAround(table, leaf);
  if (href === undefined || href === "" || href.startsWith("#") || href.startsWith("javascript:")) return 1;
  if (isContact(href)) return 2;
  return href.startsWith("http") ? 4 : 3;
}
