import type { PageTable } from "./page-table.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** The share of a block's words that are in links; 0 for a block without words. */
export function linkShare({ statistics }: PageTable, block: number): number {
  const row = block * STATISTIC_COUNT;
  const words = statistics[row + STATISTIC.words]!;
  return words > 0 ? statistics[row + STATISTIC.linkWords]! / words : 0;
}
