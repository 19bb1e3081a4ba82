/** Keeps the label of what is kept: a value without its name ("Care instructions:") says little. */
import { blockLine } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** In words, and in characters. */
const LONGEST = 5;
const LONGEST_TEXT = 60;
/** A text less likely than this is no part of the page's text. */
const LEAST_CHANCE = 0.1;
/** Of the text of a label. */
export const labelEnd = /[\p{L}\p{N})]\s*[:：]$/u;

/** Adds to `keep`, in place. */
export function keepLabels(table: PageTable, keep: Uint8Array, chances: Float32Array): void {
  const { blockElement, end, parent, statistics } = table;
  for (let block = keep.length - 2; block >= 0; block--) {
    if (keep[block] === 1 || keep[block + 1] === 0 || chances[block]! < LEAST_CHANCE) continue;
    const row = block * STATISTIC_COUNT;
    if (statistics[row + STATISTIC.words]! > LONGEST || statistics[row + STATISTIC.linkWords]! > 0) continue;
    const around = parent[blockElement[block]!]!;
    if (around < 0 || blockElement[block + 1]! >= end[around]!) continue;
    const text = blockLine(table, block);
    if (text.length <= LONGEST_TEXT && labelEnd.test(text)) keep[block] = 1;
  }
}
