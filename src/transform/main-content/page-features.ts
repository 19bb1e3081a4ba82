/** Describes a whole page as one row of numbers, from its address, its declared kinds and its structure. */

import { type ElementTotals, STRUCTURAL_TAGS } from "./element-totals.ts";
import { jsonLdTexts } from "./json-ld-texts.ts";
import { MEANINGS } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { PAGE_TYPES } from "./page-type.ts";
import { ADDRESS_KINDS, addressBits, DECLARED_KINDS, declaredBits } from "./page-words.ts";
import { rankOf, tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const NUMBERS = [
  "addressDepth",
  "addressDigits",
  "addressYear",
  "addressWords",
  "addressLength",
  "addressExtension",
  "addressQuery",
  "words",
  "linkShare",
  "blocks",
  "proseShare",
  "headings",
  "firstHeadings",
  "elements",
  "money",
  "moneyPerWord",
  "questions",
  "capitals",
  "digits",
  "commas",
  "functionWords",
  "codeWords",
  "tableWords",
  "listWords",
  "times",
  "articles",
  "images",
  "forms",
  "mostAlike",
  "mostAlikeWords",
  "mostAlikeShare",
  "alikeMoney",
  "longestProse",
  "paragraphs",
  "coreShare",
  "coreLinkShare",
  "coreBlocks",
  "foreign",
  "ideographs",
] as const;

/** The names of all page features, in the order of their columns. */
export const PAGE_FEATURES: readonly string[] = [
  ...NUMBERS,
  ...ADDRESS_KINDS.map((kind) => `address:${kind}`),
  ...DECLARED_KINDS.map((kind) => `declared:${kind}`),
  ...MEANINGS.map((meaning) => `words in ${meaning}`),
  ...PAGE_TYPES.map((type) => `speaks for ${type}`),
];

const COLUMN = Object.fromEntries(NUMBERS.map((name, column) => [name, column])) as Record<
  (typeof NUMBERS)[number],
  number
>;
const TAG = {
  pre: tagId("pre"),
  cell: tagId("td"),
  item: tagId("li"),
  time: tagId("time"),
  article: tagId("article"),
  image: tagId("img"),
  form: tagId("form"),
  first: tagId("h1"),
  paragraph: tagId("p"),
};
const PRE_BIT = 1 << STRUCTURAL_TAGS.indexOf("pre");
const MAXIMUM_SCRIPT = 60_000;

/** @param typeSums for each page type, the sum of the ratings of the words in names and address */
export function computePageFeatures(
  table: PageTable,
  totals: ElementTotals,
  url: string,
  typeSums: Float32Array,
): Float32Array {
  const row = table.arrays.floats(PAGE_FEATURES.length);
  describeAddress(url, row);
  describeDeclared(table, row);
  describeElements(table, totals, row);
  describeBlocks(table, totals, row);
  const mean = typeSums.reduce((sum, one) => sum + one, 0) / typeSums.length;
  typeSums.forEach((sum, type) => {
    row[PAGE_FEATURES.length - PAGE_TYPES.length + type] = sum - mean;
  });
  return row;
}

function describeAddress(url: string, row: Float32Array): void {
  const address = url
    .slice(0, 600)
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "");
  const slash = address.indexOf("/");
  const path = slash < 0 ? "" : address.slice(slash).replace(/[#].*$/, "");
  const bare = path.replace(/[?].*$/, "");
  row[COLUMN.addressDepth] = bare.split("/").filter((part) => part !== "").length;
  row[COLUMN.addressDigits] = Math.min(12, path.length - path.replace(/[0-9]/g, "").length);
  row[COLUMN.addressYear] = /\/(?:19|20)\d\d\//.test(path) ? 1 : 0;
  const last = bare.split("/").findLast((part) => part !== "") ?? "";
  row[COLUMN.addressWords] = last.split(/[-_+]/).length;
  row[COLUMN.addressLength] = last.length;
  row[COLUMN.addressExtension] = /\.[a-z]{2,5}$/.test(last) ? 1 : 0;
  row[COLUMN.addressQuery] = path.includes("?") ? 1 : 0;
  let bits = 0;
  for (const part of address.split(/[/.?=&]/)) bits |= addressBits.get(part) ?? 0;
  for (let bit = 0; bit < ADDRESS_KINDS.length; bit++) {
    if ((bits & (1 << bit)) !== 0) row[NUMBERS.length + bit] = 1;
  }
}

function describeDeclared(table: PageTable, row: Float32Array): void {
  let bits = 0;
  for (const text of jsonLdTexts(table)) {
    for (const match of text.slice(0, MAXIMUM_SCRIPT).matchAll(/"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"([A-Za-z]{3,40})"/g)) {
      bits |= declaredBits.get(match[1]!.toLowerCase()) ?? 0;
    }
  }
  for (const type of table.names.itemTypes()) {
    bits |= declaredBits.get(type.slice(type.lastIndexOf("/") + 1).toLowerCase()) ?? 0;
  }
  for (const node of table.dropped) {
    if (!("attribs" in node) || node.name !== "meta" || node.attribs["property"] !== "og:type") continue;
    bits |= declaredBits.get((node.attribs["content"] ?? "").toLowerCase()) ?? 0;
  }
  for (let bit = 0; bit < DECLARED_KINDS.length; bit++) {
    if ((bits & (1 << bit)) !== 0) row[NUMBERS.length + ADDRESS_KINDS.length + bit] = 1;
  }
}

function describeElements(table: PageTable, totals: ElementTotals, row: Float32Array): void {
  const { tag, parent } = table;
  row[COLUMN.elements] = Math.log2(1 + tag.length);
  let most = -1;
  for (let element = 0; element < tag.length; element++) {
    const id = tag[element]!;
    if (id === TAG.time) row[COLUMN.times]!++;
    else if (id === TAG.article) row[COLUMN.articles]!++;
    else if (id === TAG.image) row[COLUMN.images]!++;
    else if (id === TAG.form) row[COLUMN.forms]!++;
    else if (id === TAG.first) row[COLUMN.firstHeadings]!++;
    if (id === TAG.paragraph && totals.words[element]! > 15) row[COLUMN.paragraphs]!++;
    if (totals.alike[element]! >= 3 && totals.alikePlace[element] === 0 && parent[element]! >= 0) {
      const around = parent[element]!;
      const score = totals.words[around]! * Math.min(1, totals.blocks[element]! / 2);
      if (most < 0 || score > row[COLUMN.mostAlikeShare]!) {
        most = element;
        row[COLUMN.mostAlikeShare] = score;
        row[COLUMN.mostAlike] = totals.alike[element]!;
        row[COLUMN.mostAlikeWords] = totals.words[around]! / totals.alike[element]!;
      }
    }
  }
}

function describeBlocks(table: PageTable, totals: ElementTotals, row: Float32Array): void {
  const { blockElement, blockLeaf, statistics, tag } = table;
  const firstMeaning = NUMBERS.length + ADDRESS_KINDS.length + DECLARED_KINDS.length;
  let words = 0;
  let links = 0;
  for (let block = 0; block < blockElement.length; block++) {
    const from = block * STATISTIC_COUNT;
    const own = statistics[from + STATISTIC.words]!;
    words += own;
    links += statistics[from + STATISTIC.linkWords]!;
    row[COLUMN.money]! += statistics[from + STATISTIC.money]!;
    row[COLUMN.questions]! += statistics[from + STATISTIC.questions]!;
    row[COLUMN.capitals]! += statistics[from + STATISTIC.capitalWords]!;
    row[COLUMN.digits]! += statistics[from + STATISTIC.digits]!;
    row[COLUMN.commas]! += statistics[from + STATISTIC.commas]!;
    row[COLUMN.functionWords]! += statistics[from + STATISTIC.functionWords]!;
    row[COLUMN.foreign]! += statistics[from + STATISTIC.foreignLetters]!;
    row[COLUMN.ideographs]! += statistics[from + STATISTIC.ideographs]!;
    const element = blockElement[block]!;
    const leaf = blockLeaf[block]!;
    if (rankOf(tag[element]!) > 0) row[COLUMN.headings]!++;
    if ((totals.allTags[leaf]! & PRE_BIT) !== 0) row[COLUMN.codeWords]! += own;
    if (tag[element] === TAG.cell) row[COLUMN.tableWords]! += own;
    if (tag[element] === TAG.item) row[COLUMN.listWords]! += own;
    if (own > row[COLUMN.longestProse]! && statistics[from + STATISTIC.linkWords]! < own * 0.5) {
      row[COLUMN.longestProse] = own;
    }
    const meanings = totals.allMeanings[leaf]!;
    for (let bit = 0; bit < MEANINGS.length; bit++) if ((meanings & (1 << bit)) !== 0) row[firstMeaning + bit]! += own;
  }
  const per = Math.max(1, words);
  row[COLUMN.moneyPerWord] = row[COLUMN.money]! / per;
  for (const column of [
    COLUMN.capitals,
    COLUMN.digits,
    COLUMN.commas,
    COLUMN.functionWords,
    COLUMN.foreign,
    COLUMN.ideographs,
    COLUMN.codeWords,
    COLUMN.tableWords,
    COLUMN.listWords,
    COLUMN.mostAlikeShare,
  ])
    row[column]! /= per;
  for (let bit = 0; bit < MEANINGS.length; bit++) row[firstMeaning + bit]! /= per;
  row[COLUMN.words] = Math.log2(1 + words);
  row[COLUMN.linkShare] = links / per;
  row[COLUMN.blocks] = Math.log2(1 + blockElement.length);
  row[COLUMN.headings] = Math.log2(1 + row[COLUMN.headings]!);
  const core = totals.core;
  row[COLUMN.proseShare] = core < 0 ? 0 : totals.proseWords[0]! / per;
  row[COLUMN.coreShare] = core < 0 ? 0 : totals.words[core]! / per;
  row[COLUMN.coreLinkShare] = core < 0 ? 0 : totals.linkWords[core]! / Math.max(1, totals.words[core]!);
  row[COLUMN.coreBlocks] = core < 0 ? 0 : Math.log2(1 + totals.blocks[core]!);
}
