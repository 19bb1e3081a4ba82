/** Prepares pages for training: tables, labels, lexicons and features. */
import type { Document } from "domhandler";
import { repairEncoding } from "../../src/transform/charset/repair.ts";
import { readHtml } from "../../src/transform/html/read-html.ts";
import type { Rate } from "../../src/transform/main-content/lexicon.ts";
import { buildPageTable, type PageTable } from "../../src/transform/main-content/page-table.ts";
import type { PageType } from "../../src/transform/main-content/page-type.ts";
import { wholeHash } from "../../src/transform/main-content/text-features.ts";
import { HASHED_WORDS, mixHash } from "../../src/transform/main-content/text-statistics.ts";
import { pageWords } from "../../src/transform/main-content/type-words.ts";
import { type CorpusPage, readPage } from "./corpus.ts";
import { type BlockLabels, labelBlocks } from "./labels.ts";
import { LexiconTraining } from "./lexicon-training.ts";
import { TypeWordsTraining } from "./type-words-training.ts";

export interface TrainingPage {
  readonly page: CorpusPage;
  /** Pages of one host are in the same group, and so never on both sides of a split. */
  readonly group: string;
  readonly html: string;
  readonly labels: BlockLabels;
}

export function groupOf(page: CorpusPage): string {
  let host = "";
  try {
    host = new URL(page.url).hostname.replace(/^www\./, "");
  } catch {
    // Each page with a made-up address is a group of its own.
  }
  return host === "" || host === "fakehost" || page.set === "defuddle" || page.set === "own" ? page.id : host;
}

const none: Rate = () => 0;

export function parse(html: string): Document {
  return readHtml(html).document;
}

export interface Lexicons {
  readonly names: LexiconTraining;
  readonly text: LexiconTraining;
  readonly types: TypeWordsTraining;
}

/** The type of a page, if it is known: one set names types, and some others contain only articles. */
export function knownType(page: CorpusPage): PageType | undefined {
  if (page.set === "wcxb") return page.type as PageType;
  return page.set === "scrapinghub" || page.set === "mozilla" ? "article" : undefined;
}

export function readTrainingPages(pages: readonly CorpusPage[]): { pages: TrainingPage[]; lexicons: Lexicons } {
  const lexicons = {
    names: new LexiconTraining(3, 3),
    text: new LexiconTraining(4, 4),
    types: new TypeWordsTraining(),
  };
  const training = pages.map((page) => {
    const html = repairEncoding(readPage(page));
    const table = buildPageTable(parse(html), none);
    const labels = labelBlocks(table, page);
    const group = groupOf(page);
    // Their words would be those of this project.
    if (page.set === "own") return { page, group, html, labels };
    lexicons.names.add(group, countNames(table, labels));
    const type = knownType(page);
    if (type !== undefined) lexicons.types.add(type, new Set(pageWords(table, page.url)));
    lexicons.text.add(group, countWords(table, labels));
    return { page, group, html, labels };
  });
  return { pages: training, lexicons };
}

type Votes = Map<number, [number, number]>;

function vote(votes: Votes, hash: number, inside: number, outside: number): void {
  const entry = votes.get(hash);
  if (entry === undefined) votes.set(hash, [inside, outside]);
  else {
    entry[0] += inside;
    entry[1] += outside;
  }
}

function countNames(table: PageTable, labels: BlockLabels): Votes {
  const count = table.elements.length;
  const inside = new Float64Array(count);
  const outside = new Float64Array(count);
  for (let block = 0; block < table.blockElement.length; block++) {
    const share = labels.share[block]!;
    if (share < 0) continue;
    const weight = Math.sqrt(labels.words[block]!);
    const element = table.blockLeaf[block]!;
    inside[element]! += share * weight;
    outside[element]! += (1 - share) * weight;
  }
  const votes: Votes = new Map();
  for (let element = count - 1; element >= 0; element--) {
    const around = table.parent[element]!;
    if (around >= 0) {
      inside[around]! += inside[element]!;
      outside[around]! += outside[element]!;
    }
    if (inside[element]! + outside[element]! <= 0) continue;
    for (const hash of table.names.hashesOf(table.elements[element]!))
      vote(votes, hash, inside[element]!, outside[element]!);
  }
  return votes;
}

function countWords(table: PageTable, labels: BlockLabels): Votes {
  const votes: Votes = new Map();
  for (let block = 0; block < table.blockElement.length; block++) {
    const share = labels.share[block]!;
    if (share < 0) continue;
    const from = block * HASHED_WORDS;
    const to = from + table.hashCount[block]!;
    for (let index = from; index < to; index++) {
      const hash = table.wordHashes[index]!;
      vote(votes, hash, share, 1 - share);
      if (index > from) vote(votes, mixHash(table.wordHashes[index - 1]!, hash), share, 1 - share);
    }
    if (to - from <= 3) vote(votes, wholeHash(table, block), share, 1 - share);
  }
  return votes;
}
