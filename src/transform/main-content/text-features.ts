/** Features of a block's own text: its composition, the ratings of its words, whether it occurs elsewhere. */
import type { DeclaredText } from "./declared-text.ts";
import { type BlockFeatures, COLUMN, share } from "./feature-columns.ts";
import type { Rate } from "./lexicon.ts";
import { logCount } from "./log-count.ts";
import type { PageTable } from "./page-table.ts";
import { HASHED_WORDS, mixHash, STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

export interface TextContext {
  /** Hashes of the words of the page's title. */
  readonly titleWords: ReadonlySet<number>;
  readonly declared: DeclaredText;
  /** The lexicon of words in text. */
  readonly rateText: Rate;
}

export function describeTexts(table: PageTable, context: TextContext, features: BlockFeatures): void {
  for (let block = 0; block < features.blocks; block++) {
    describeText(table, block, features);
    rateWords(table, context, block, features);
  }
  features.fill(COLUMN.declaredPage, logCount(context.declared.data.size));
  describeCopies(table, features);
}

function describeText(table: PageTable, block: number, features: BlockFeatures): void {
  const row = block * STATISTIC_COUNT;
  const statistics = table.statistics;
  const words = statistics[row + STATISTIC.words]!;
  const per = Math.max(1, words);
  features.set(COLUMN.words, block, logCount(words));
  features.set(COLUMN.linkShare, block, share(statistics[row + STATISTIC.linkWords]!, words));
  features.set(COLUMN.capitals, block, statistics[row + STATISTIC.capitalWords]! / per);
  features.set(COLUMN.commas, block, statistics[row + STATISTIC.commas]! / per);
  features.set(COLUMN.sentenceEnds, block, statistics[row + STATISTIC.sentenceEnds]! / per);
  features.set(COLUMN.separators, block, statistics[row + STATISTIC.separators]! / per);
  features.set(COLUMN.ideographs, block, statistics[row + STATISTIC.ideographs]! / per);
  features.set(COLUMN.foreign, block, statistics[row + STATISTIC.foreignLetters]! / per);
  features.set(COLUMN.bold, block, statistics[row + STATISTIC.boldWords]! / per);
  const last = table.texts[table.firstText[block + 1]! - 1]!.data;
  features.set(COLUMN.endsSentence, block, endKind(last));
}

function rateWords(table: PageTable, context: TextContext, block: number, features: BlockFeatures): void {
  const count = table.hashCount[block]!;
  const from = block * HASHED_WORDS;
  let sum = 0;
  let pairs = 0;
  let inTitle = 0;
  let described = 0;
  const { description } = context.declared;
  let before = 0;
  for (let index = from; index < from + count; index++) {
    const hash = table.wordHashes[index]!;
    sum += context.rateText(hash);
    if (index > from) {
      const pair = mixHash(before, hash);
      pairs += context.rateText(pair);
      if (description.size > 0 && description.has(pair)) described++;
    }
    before = hash;
    if (context.titleWords.has(hash)) inTitle++;
  }
  // A block of up to three words is also rated as a whole.
  if (count <= 3) pairs += context.rateText(wholeHash(table, block));
  features.set(COLUMN.textMean, block, count > 0 ? sum / count : 0);
  features.set(COLUMN.pairSum, block, pairs);
  features.set(COLUMN.described, block, count > 2 ? described / (count - 1) : 0);
  features.set(COLUMN.inTitle, block, count > 0 ? inTitle / count : 0);
  const short = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]! < 40;
  features.set(COLUMN.titleShare, block, short ? share(inTitle, context.titleWords.size) : 0);
}

/** The hash of a short block's whole text, different from those of its words. */
export function wholeHash(table: PageTable, block: number): number {
  let hash = 0x51ed27;
  const from = block * HASHED_WORDS;
  for (let index = from; index < from + table.hashCount[block]!; index++) {
    hash = mixHash(hash, table.wordHashes[index]!);
  }
  return hash;
}

/** How often the same text occurs on the page before and after. */
function describeCopies(table: PageTable, features: BlockFeatures): void {
  const blocks = table.blockElement.length;
  const before = table.arrays.integers(blocks);
  const seen = new Map<number, number>();
  for (let block = 0; block < blocks; block++) {
    if (table.hashCount[block]! < leastCopied) continue;
    const text = copyKey(table, block);
    before[block] = seen.get(text) ?? 0;
    seen.set(text, before[block]! + 1);
  }
  for (let block = 0; block < blocks; block++) {
    if (table.hashCount[block]! < leastCopied) continue;
    const after = seen.get(copyKey(table, block))! - before[block]! - 1;
    features.set(COLUMN.copiesBefore, block, Math.min(3, before[block]!));
    features.set(COLUMN.copiesAfter, block, Math.min(3, after));
  }
}

/** Fewest words of a text whose copies count. */
const leastCopied = 4;

function copyKey(table: PageTable, block: number): number {
  const words = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
  return mixHash(wholeHash(table, block), words * 2);
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
