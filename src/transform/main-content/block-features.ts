/** Turns every block of a page into a row of numbers for the trained model. */

import type { DeclaredText } from "./declared-text.ts";
import type { Rate } from "./element-names.ts";
import { type ElementTotals, isHeadingTag, STRUCTURAL_TAGS } from "./element-totals.ts";
import { MEANINGS } from "./name-words.ts";
import { IN_HIDDEN, IN_LINK, type PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";
import { HASHED_WORDS, mixHash, STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const OWN = [
  "words",
  "linkShare",
  "letters",
  "capitals",
  "digits",
  "commas",
  "sentenceEnds",
  "questions",
  "separators",
  "money",
  "ideographs",
  "links",
  "foreign",
  "functionWords",
  "atSigns",
  "bold",
  "longWords",
  "control",
  "endsSentence",
  "startsLower",
  "startsDigit",
  "tag",
  "headingLevel",
  "inTitle",
  "titleShare",
  "hidden",
  "depth",
  "textMean",
  "textLow",
  "textHigh",
  "textSum",
  "pairSum",
  "copiesBefore",
  "copiesAfter",
  "declared",
  "described",
  "declaredPage",
  "linkKind",
] as const;
const AROUND = [
  "ratingOwn",
  "ratingNear",
  "ratingSum",
  "ratingLow",
  "ratingHigh",
  "innerWords",
  "innerLinkShare",
  "innerBlocks",
  "outerWords",
  "outerLinkShare",
  "outerBlocks",
  "outestWords",
  "outestLinkShare",
  "outestBlocks",
  "branchWords",
  "branchLinkShare",
  "branchBlocks",
  "branchProse",
  "innerRating",
  "outerRating",
  "branchRating",
  "repeatRating",
  "offCore",
  "coreAbove",
  "coreShare",
  "branchBefore",
  "repeats",
  "repeatWords",
  "repeatLinkShare",
  "repeatBlocks",
  "repeatDepth",
  "repeatPlace",
  "repeatHeadings",
  "pathBlocks",
  "pathWords",
  "pathLinkShare",
  "inMain",
  "inArticle",
  "articles",
] as const;
const PLACE = [
  "blocksBefore",
  "wordsBefore",
  "wordsBeforeCount",
  "wordsAfterCount",
  "fromTitleHeading",
  "afterLastProse",
  "beforeFirstProse",
  "headingDistance",
  "headingAboveLevel",
  "headingAboveText",
  "headingAboveWords",
  "headingAboveRating",
  "headingSameParent",
  "headingAbovePair",
  "upperLevel",
  "upperText",
  "upperPair",
  "listHeadingText",
  "listHeadingPair",
  "listHeadingLevel",
  "coreStart",
  "coreEnd",
  "previousWords",
  "previousLinkShare",
  "previousText",
  "previousHeading",
  "previousPath",
  "nextWords",
  "nextLinkShare",
  "nextText",
  "nextHeading",
  "nextPath",
  "secondPreviousWords",
  "secondNextWords",
  "windowWords",
  "windowLinkShare",
  "windowProse",
  "windowText",
  "windowRating",
  "pageWords",
  "pageLinkShare",
  "pageBlocks",
  "pageProseShare",
] as const;

/** The names of all features, in the order of their columns. */
export const BLOCK_FEATURES: readonly string[] = [
  ...OWN,
  ...AROUND,
  ...PLACE,
  ...MEANINGS.map((name) => `name:${name}`),
  ...STRUCTURAL_TAGS.map((name) => `tag:${name}`),
];

type FeatureName = (typeof OWN)[number] | (typeof AROUND)[number] | (typeof PLACE)[number];
const COLUMN = Object.fromEntries(BLOCK_FEATURES.map((name, column) => [name, column])) as Record<FeatureName, number>;
const FIRST_MEANING = BLOCK_FEATURES.indexOf(`name:${MEANINGS[0]}`);
const FIRST_TAG = BLOCK_FEATURES.indexOf(`tag:${STRUCTURAL_TAGS[0]}`);
const MAIN_BIT = 1 << STRUCTURAL_TAGS.indexOf("main");
const ARTICLE_BIT = 1 << STRUCTURAL_TAGS.indexOf("article");
const LINK = tagId("a");
const ARTICLE = tagId("article");
const MAIN = tagId("main");
const FIRST_HEADING = tagId("h1");
const WINDOW = 4;

/** Features in columns: the value of feature f for block b is `values[f * blocks + b]`. */
export interface BlockFeatures {
  readonly blocks: number;
  readonly values: Float32Array;
}

export interface FeatureContext {
  /** Hashes of the words of the page's title. */
  readonly titleWords: ReadonlySet<number>;
  readonly declared: DeclaredText;
  /** The lexicon of words in text. */
  readonly rateText: Rate;
}

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

export function computeBlockFeatures(table: PageTable, totals: ElementTotals, context: FeatureContext): BlockFeatures {
  const blocks = table.blockElement.length;
  const values = new Float32Array(blocks * BLOCK_FEATURES.length);
  const set = (name: number, block: number, value: number): void => {
    values[name * blocks + block] = value;
  };
  const get = (name: number, block: number): number => values[name * blocks + block]!;
  for (let block = 0; block < blocks; block++) describeText(table, context, block, set);
  describeCopies(table, set);
  describeSurroundings(table, totals, set, get);
  describePlaces(table, totals, set, get);
  return { blocks, values };
}

type Setter = (column: number, block: number, value: number) => void;
type Getter = (column: number, block: number) => number;

function describeText(table: PageTable, context: FeatureContext, block: number, set: Setter): void {
  const row = block * STATISTIC_COUNT;
  const statistics = table.statistics;
  const words = statistics[row + STATISTIC.words]!;
  const per = Math.max(1, words);
  set(COLUMN.words, block, Math.log2(1 + words));
  set(COLUMN.linkShare, block, share(statistics[row + STATISTIC.linkWords]!, words));
  set(COLUMN.letters, block, statistics[row + STATISTIC.letters]! / per);
  set(COLUMN.capitals, block, statistics[row + STATISTIC.capitalWords]! / per);
  set(COLUMN.digits, block, statistics[row + STATISTIC.digits]! / per);
  set(COLUMN.commas, block, statistics[row + STATISTIC.commas]! / per);
  set(COLUMN.sentenceEnds, block, statistics[row + STATISTIC.sentenceEnds]! / per);
  set(COLUMN.questions, block, statistics[row + STATISTIC.questions]!);
  set(COLUMN.separators, block, statistics[row + STATISTIC.separators]! / per);
  set(COLUMN.money, block, statistics[row + STATISTIC.money]!);
  set(COLUMN.ideographs, block, statistics[row + STATISTIC.ideographs]! / per);
  set(COLUMN.links, block, statistics[row + STATISTIC.links]!);
  set(COLUMN.foreign, block, statistics[row + STATISTIC.foreignLetters]! / per);
  set(COLUMN.functionWords, block, statistics[row + STATISTIC.functionWords]! / per);
  set(COLUMN.atSigns, block, statistics[row + STATISTIC.atSigns]!);
  set(COLUMN.bold, block, statistics[row + STATISTIC.boldWords]! / per);
  set(COLUMN.longWords, block, statistics[row + STATISTIC.longWords]! / per);
  set(COLUMN.control, block, statistics[row + STATISTIC.controlWords]! / per);
  const first = table.texts[table.firstText[block]!]!.data;
  const last = table.texts[table.firstText[block + 1]! - 1]!.data;
  set(COLUMN.endsSentence, block, endKind(last));
  const start = firstVisible(first);
  set(COLUMN.startsLower, block, start >= 97 && start <= 122 ? 1 : 0);
  set(COLUMN.startsDigit, block, start >= 48 && start <= 57 ? 1 : 0);
  rateWords(table, context, block, per, set);
}

function rateWords(table: PageTable, context: FeatureContext, block: number, per: number, set: Setter): void {
  const count = table.hashCount[block]!;
  const from = block * HASHED_WORDS;
  let sum = 0;
  let low = 0;
  let high = 0;
  let pairs = 0;
  let inTitle = 0;
  let declared = 0;
  let described = 0;
  for (let index = from; index < from + count; index++) {
    const hash = table.wordHashes[index]!;
    const rating = context.rateText(hash);
    sum += rating;
    if (rating < low) low = rating;
    if (rating > high) high = rating;
    if (index > from) {
      const pair = mixHash(table.wordHashes[index - 1]!, hash);
      pairs += context.rateText(pair);
      if (context.declared.data.has(pair)) declared++;
      if (context.declared.description.has(pair)) described++;
    }
    if (context.titleWords.has(hash)) inTitle++;
  }
  // A block of one or two words is also known as a whole.
  if (count <= 3) pairs += context.rateText(wholeHash(table, block));
  set(COLUMN.textMean, block, count > 0 ? sum / count : 0);
  set(COLUMN.textLow, block, low);
  set(COLUMN.textHigh, block, high);
  set(COLUMN.textSum, block, sum);
  set(COLUMN.pairSum, block, pairs);
  set(COLUMN.declared, block, count > 2 ? declared / (count - 1) : 0);
  set(COLUMN.described, block, count > 2 ? described / (count - 1) : 0);
  set(COLUMN.declaredPage, block, Math.log2(1 + context.declared.data.size));
  set(COLUMN.inTitle, block, count > 0 ? inTitle / count : 0);
  set(COLUMN.titleShare, block, per < 40 ? share(inTitle, context.titleWords.size) : 0);
}

/** The hash of a short block's whole text, apart from those of its words. */
export function wholeHash(table: PageTable, block: number): number {
  let hash = 0x51ed27;
  const from = block * HASHED_WORDS;
  for (let index = from; index < from + table.hashCount[block]!; index++) {
    hash = mixHash(hash, table.wordHashes[index]!);
  }
  return hash;
}

/** How often the same text stands on the page before and after. */
function describeCopies(table: PageTable, set: Setter): void {
  const seen = new Map<number, number>();
  for (let pass = 0; pass < 2; pass++) {
    const blocks = table.blockElement.length;
    for (let step = 0; step < blocks; step++) {
      const block = pass === 0 ? step : blocks - 1 - step;
      if (table.hashCount[block]! < 4) continue;
      const words = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
      const key = mixHash(wholeHash(table, block), words * 2);
      const copies = seen.get(key) ?? 0;
      set(pass === 0 ? COLUMN.copiesBefore : COLUMN.copiesAfter, block, Math.min(3, copies));
      seen.set(key, copies + 1);
    }
    seen.clear();
  }
}

function firstVisible(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 32) return code;
  }
  return 0;
}

function endKind(text: string): number {
  for (let index = text.length - 1; index >= 0; index--) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 160 || code === 0x201d || code === 0x22 || code === 0x29) continue;
    if (code === 0x2e || code === 0x21 || code === 0x3f || code === 0x3002) return 3;
    if (code === 0x3a) return 2;
    if (code === 0x2026 || code === 0xbb || code === 0x203a || code === 0x2192) return 1;
    return 0;
  }
  return 0;
}

function describeSurroundings(table: PageTable, totals: ElementTotals, set: Setter, get: Getter): void {
  const { parent, blockElement, blockLeaf, statistics, tag, flags, depth } = table;
  const blocks = blockElement.length;
  const groups = new Map<number, number>();
  const groupOf = new Int32Array(blocks);
  const groupBlocks: number[] = [];
  const groupWords: number[] = [];
  const groupLinkWords: number[] = [];
  for (let block = 0; block < blocks; block++) {
    const path = totals.path[blockElement[block]!]!;
    let group = groups.get(path);
    if (group === undefined) {
      group = groupBlocks.length;
      groups.set(path, group);
      groupBlocks.push(0);
      groupWords.push(0);
      groupLinkWords.push(0);
    }
    groupOf[block] = group;
    groupBlocks[group]!++;
    groupWords[group]! += statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
    groupLinkWords[group]! += statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]!;
  }
  let articles = 0;
  let mains = 0;
  for (const id of tag) {
    if (id === ARTICLE) articles++;
    else if (id === MAIN) mains++;
  }
  const text = textRatings(table, totals, get);
  const core = totals.core;
  const coreProse = core >= 0 ? totals.proseWords[core]! : 0;
  const container = (column: number, block: number, element: number): void => {
    set(column, block, element < 0 ? -1 : Math.log2(1 + totals.words[element]!));
    set(column + 1, block, element < 0 ? -1 : share(totals.linkWords[element]!, totals.words[element]!));
    set(column + 2, block, element < 0 ? -1 : Math.log2(1 + totals.blocks[element]!));
  };
  for (let block = 0; block < blocks; block++) {
    const element = blockElement[block]!;
    const leaf = blockLeaf[block]!;
    const inner = parent[element]!;
    const outer = inner >= 0 ? parent[inner]! : -1;
    const outest = outer >= 0 ? parent[outer]! : -1;
    set(COLUMN.tag, block, tag[element]!);
    set(COLUMN.headingLevel, block, headingLevel(tag[element]!, outer >= 0 ? tag[inner]! : 0));
    set(COLUMN.hidden, block, (flags[leaf]! & IN_HIDDEN) !== 0 ? 1 : 0);
    set(COLUMN.depth, block, depth[element]!);
    set(COLUMN.ratingOwn, block, table.ratings[leaf]!);
    set(COLUMN.ratingNear, block, totals.ratingNear[leaf]!);
    set(COLUMN.ratingSum, block, totals.ratingSum[leaf]!);
    set(COLUMN.ratingLow, block, totals.ratingLow[leaf]!);
    set(COLUMN.ratingHigh, block, totals.ratingHigh[leaf]!);
    container(COLUMN.innerWords, block, inner);
    container(COLUMN.outerWords, block, outer);
    container(COLUMN.outestWords, block, outest);
    const branch = totals.branch[element]!;
    container(COLUMN.branchWords, block, branch);
    set(COLUMN.branchProse, block, share(totals.proseWords[branch]!, totals.words[branch]!));
    set(COLUMN.innerRating, block, inner < 0 ? 0 : text[inner]!);
    set(COLUMN.outerRating, block, outer < 0 ? 0 : text[outer]!);
    set(COLUMN.branchRating, block, text[branch]!);
    const around = totals.repeated[element]! < 0 ? -1 : parent[totals.repeated[element]!]!;
    set(COLUMN.repeatRating, block, around < 0 ? 0 : text[around]!);
    set(COLUMN.linkKind, block, linkKind(table, leaf));
    set(COLUMN.offCore, block, totals.offCore[element]!);
    set(COLUMN.coreAbove, block, core < 0 ? -1 : depth[core]! - depth[branch]!);
    set(COLUMN.coreShare, block, share(totals.proseWords[branch]!, coreProse));
    set(COLUMN.branchBefore, block, core < 0 ? 0 : branch < core ? 0 : branch >= table.end[core]! ? 2 : 1);
    const repeated = totals.repeated[element]!;
    set(COLUMN.repeats, block, repeated < 0 ? 0 : Math.log2(1 + totals.alike[repeated]!));
    set(COLUMN.repeatWords, block, repeated < 0 ? 0 : Math.log2(1 + totals.words[repeated]!));
    set(COLUMN.repeatLinkShare, block, repeated < 0 ? 0 : share(totals.linkWords[repeated]!, totals.words[repeated]!));
    set(COLUMN.repeatBlocks, block, repeated < 0 ? 0 : totals.blocks[repeated]!);
    set(COLUMN.repeatDepth, block, repeated < 0 ? -1 : depth[element]! - depth[repeated]!);
    set(COLUMN.repeatPlace, block, repeated < 0 ? -1 : totals.alikePlace[repeated]!);
    set(COLUMN.repeatHeadings, block, repeated < 0 ? 0 : totals.headings[repeated]!);
    const group = groupOf[block]!;
    set(COLUMN.pathBlocks, block, Math.log2(groupBlocks[group]!));
    set(COLUMN.pathWords, block, Math.log2(1 + groupWords[group]! / groupBlocks[group]!));
    set(COLUMN.pathLinkShare, block, share(groupLinkWords[group]!, groupWords[group]!));
    const tags = totals.allTags[leaf]!;
    set(COLUMN.inMain, block, (tags & MAIN_BIT) !== 0 ? 2 : mains > 0 ? 0 : 1);
    set(COLUMN.inArticle, block, (tags & ARTICLE_BIT) !== 0 ? 2 : articles > 0 ? 0 : 1);
    set(COLUMN.articles, block, Math.min(articles, 4));
    bits(FIRST_MEANING, MEANINGS.length, totals.nearMeanings[leaf]!, totals.allMeanings[leaf]!, block, set);
    bits(FIRST_TAG, STRUCTURAL_TAGS.length, totals.nearTags[leaf]!, tags, block, set);
  }
}

/** The mean rating of the text in each element. */
function textRatings(table: PageTable, totals: ElementTotals, get: Getter): Float32Array {
  const ratings = new Float32Array(table.elements.length);
  for (let block = 0; block < table.blockElement.length; block++) {
    ratings[table.blockElement[block]!]! += get(COLUMN.textMean, block);
  }
  for (let element = ratings.length - 1; element > 0; element--) {
    const around = table.parent[element]!;
    if (around >= 0) ratings[around]! += ratings[element]!;
  }
  return ratings.map((sum, element) => sum / Math.max(1, totals.blocks[element]!));
}

/** Where the link around a text leads: 0 no link, 1 nowhere, 2 mail or phone, 3 within the site, 4 out of it. */
function linkKind(table: PageTable, leaf: number): number {
  if ((table.flags[leaf]! & IN_LINK) === 0) return 0;
  let element = leaf;
  for (let step = 0; step < 6 && element >= 0 && table.tag[element] !== LINK; step++) element = table.parent[element]!;
  const href = element < 0 ? undefined : table.elements[element]!.attribs["href"];
  if (href === undefined || href === "" || href.startsWith("#") || href.startsWith("javascript:")) return 1;
  if (href.startsWith("mailto:") || href.startsWith("tel:")) return 2;
  return href.startsWith("http") ? 4 : 3;
}

/** 2 for what is near, 1 for what is only further up. */
function bits(from: number, count: number, near: number, all: number, block: number, set: Setter): void {
  for (let bit = 0; bit < count; bit++) {
    if ((all & (1 << bit)) !== 0) set(from + bit, block, (near & (1 << bit)) !== 0 ? 2 : 1);
  }
}

function headingLevel(own: number, around: number): number {
  if (isHeadingTag(own)) return own - FIRST_HEADING + 1;
  return isHeadingTag(around) ? around - FIRST_HEADING + 1 : 0;
}

function describePlaces(table: PageTable, totals: ElementTotals, set: Setter, get: Getter): void {
  const { blockElement, statistics, parent } = table;
  const blocks = blockElement.length;
  const wordsBefore = new Float64Array(blocks + 1);
  const linksBefore = new Float64Array(blocks + 1);
  const proseBefore = new Float64Array(blocks + 1);
  const textBefore = new Float64Array(blocks + 1);
  const ratingBefore = new Float64Array(blocks + 1);
  let firstProse = blocks;
  let lastProse = -1;
  let titleHeading = -1;
  let bestTitle = 0.3;
  for (let block = 0; block < blocks; block++) {
    const row = block * STATISTIC_COUNT;
    const words = statistics[row + STATISTIC.words]!;
    const links = statistics[row + STATISTIC.linkWords]!;
    const prose = words >= 15 && links < words * 0.4 && statistics[row + STATISTIC.sentenceEnds]! > 0;
    wordsBefore[block + 1] = wordsBefore[block]! + words;
    linksBefore[block + 1] = linksBefore[block]! + links;
    proseBefore[block + 1] = proseBefore[block]! + (prose ? words : 0);
    textBefore[block + 1] = textBefore[block]! + get(COLUMN.textMean, block);
    ratingBefore[block + 1] = ratingBefore[block]! + get(COLUMN.ratingNear, block);
    if (prose) {
      if (firstProse === blocks) firstProse = block;
      lastProse = block;
    }
    const heading = get(COLUMN.headingLevel, block);
    const title = get(COLUMN.titleShare, block) * (heading === 1 ? 2 : heading > 0 ? 1.2 : 0.5);
    if (title > bestTitle) {
      bestTitle = title;
      titleHeading = block;
    }
  }
  const total = wordsBefore[blocks]!;
  let heading = -1;
  const headings: number[] = [];
  const headingBefore = new Int32Array(blocks);
  const first = firstBlocks(table);
  const coreFirst = totals.core < 0 ? 0 : first[totals.core]!;
  const coreLast = coreFirst + (totals.core < 0 ? 0 : totals.blocks[totals.core]!);
  for (let block = 0; block < blocks; block++) {
    headingBefore[block] = heading;
    const level = get(COLUMN.headingLevel, block);
    while (level > 0 && headings.length > 0 && get(COLUMN.headingLevel, headings.at(-1)!) >= level) headings.pop();
    const upper = (level > 0 ? headings.at(-1) : headings.at(-2)) ?? -1;
    if (level > 0) headings.push(block);
    set(COLUMN.headingAbovePair, block, heading < 0 ? 0 : get(COLUMN.pairSum, heading));
    set(COLUMN.upperLevel, block, upper < 0 ? 0 : get(COLUMN.headingLevel, upper));
    set(COLUMN.upperText, block, upper < 0 ? 0 : get(COLUMN.textMean, upper));
    set(COLUMN.upperPair, block, upper < 0 ? 0 : get(COLUMN.pairSum, upper));
    const repeated = totals.repeated[blockElement[block]!]!;
    const list = repeated < 0 || parent[repeated]! < 0 ? -1 : headingBefore[first[parent[repeated]!]!]!;
    set(COLUMN.listHeadingText, block, list < 0 ? 0 : get(COLUMN.textMean, list));
    set(COLUMN.listHeadingPair, block, list < 0 ? 0 : get(COLUMN.pairSum, list));
    set(COLUMN.listHeadingLevel, block, list < 0 ? 0 : get(COLUMN.headingLevel, list));
    set(COLUMN.coreStart, block, signedLog(block - coreFirst));
    set(COLUMN.coreEnd, block, signedLog(coreLast - block));
    set(COLUMN.blocksBefore, block, block / blocks);
    set(COLUMN.wordsBefore, block, share(wordsBefore[block]!, total));
    set(COLUMN.wordsBeforeCount, block, Math.log2(1 + wordsBefore[block]!));
    set(COLUMN.wordsAfterCount, block, Math.log2(1 + total - wordsBefore[block]!));
    const fromTitle = titleHeading < 0 ? -99 : block - titleHeading;
    set(COLUMN.fromTitleHeading, block, Math.sign(fromTitle) * Math.log2(1 + Math.abs(fromTitle)));
    set(COLUMN.afterLastProse, block, lastProse < 0 ? -9 : signedLog(block - lastProse));
    set(COLUMN.beforeFirstProse, block, firstProse === blocks ? -9 : signedLog(firstProse - block));
    describeHeading(block, heading, parent, blockElement, set, get);
    neighbour(COLUMN.previousWords, block, block - 1, blocks, totals, blockElement, set, get);
    neighbour(COLUMN.nextWords, block, block + 1, blocks, totals, blockElement, set, get);
    set(COLUMN.secondPreviousWords, block, block > 1 ? get(COLUMN.words, block - 2) : -1);
    set(COLUMN.secondNextWords, block, block + 2 < blocks ? get(COLUMN.words, block + 2) : -1);
    const from = Math.max(0, block - WINDOW);
    const to = Math.min(blocks, block + WINDOW + 1);
    const words = wordsBefore[to]! - wordsBefore[from]!;
    set(COLUMN.windowWords, block, Math.log2(1 + words / (to - from)));
    set(COLUMN.windowLinkShare, block, share(linksBefore[to]! - linksBefore[from]!, words));
    set(COLUMN.windowProse, block, share(proseBefore[to]! - proseBefore[from]!, words));
    set(COLUMN.windowText, block, (textBefore[to]! - textBefore[from]!) / (to - from));
    set(COLUMN.windowRating, block, (ratingBefore[to]! - ratingBefore[from]!) / (to - from));
    set(COLUMN.pageWords, block, Math.log2(1 + total));
    set(COLUMN.pageLinkShare, block, share(linksBefore[blocks]!, total));
    set(COLUMN.pageBlocks, block, Math.log2(blocks));
    set(COLUMN.pageProseShare, block, share(proseBefore[blocks]!, total));
    if (level > 0) heading = block;
  }
}

/** The first block in each element; the number of blocks where there is none. */
function firstBlocks(table: PageTable): Int32Array {
  const first = new Int32Array(table.elements.length).fill(table.blockElement.length);
  for (let block = table.blockElement.length - 1; block >= 0; block--) first[table.blockElement[block]!] = block;
  for (let element = first.length - 1; element > 0; element--) {
    const around = table.parent[element]!;
    if (around >= 0 && first[element]! < first[around]!) first[around] = first[element]!;
  }
  return first;
}

function signedLog(distance: number): number {
  return Math.sign(distance) * Math.log2(1 + Math.abs(distance));
}

function describeHeading(
  block: number,
  heading: number,
  parent: readonly number[],
  blockElement: readonly number[],
  set: Setter,
  get: Getter,
): void {
  set(COLUMN.headingDistance, block, heading < 0 ? -1 : Math.log2(block - heading));
  set(COLUMN.headingAboveLevel, block, heading < 0 ? 0 : get(COLUMN.headingLevel, heading));
  set(COLUMN.headingAboveText, block, heading < 0 ? 0 : get(COLUMN.textMean, heading));
  set(COLUMN.headingAboveWords, block, heading < 0 ? -1 : get(COLUMN.words, heading));
  set(COLUMN.headingAboveRating, block, heading < 0 ? 0 : get(COLUMN.ratingNear, heading));
  const same = heading >= 0 && parent[blockElement[heading]!] === parent[blockElement[block]!];
  set(COLUMN.headingSameParent, block, same ? 1 : 0);
}

function neighbour(
  column: number,
  block: number,
  other: number,
  blocks: number,
  totals: ElementTotals,
  blockElement: readonly number[],
  set: Setter,
  get: Getter,
): void {
  const there = other >= 0 && other < blocks;
  set(column, block, there ? get(COLUMN.words, other) : -1);
  set(column + 1, block, there ? get(COLUMN.linkShare, other) : -1);
  set(column + 2, block, there ? get(COLUMN.textMean, other) : 0);
  set(column + 3, block, there ? get(COLUMN.headingLevel, other) : 0);
  set(column + 4, block, there && totals.path[blockElement[block]!] === totals.path[blockElement[other]!] ? 1 : 0);
}
