/** Leaves out lists of other articles beside an article: a title that is a link, and the beginning of a text. */
import { blockText } from "./block-text.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Fewer teasers than this may be citations. */
const LEAST_TEASERS = 3;
/** If less than this is kept besides, in words, the page is such a list. */
const LEAST_BESIDES = 100;
/** In words, of a title. */
const LEAST_TITLE = 3;
const breaksOff = /(?:\.\.\.|…|\[(?:\.\.\.|…)\])\s*$/;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropTeasers(
  table: PageTable,
  pageType: PageType,
  { path, repeated }: ElementTotals,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  if (pageType !== "article") return;
  const { blockElement } = table;
  const first = firstBlocks(table);
  /** By the path of what is repeated: the repeated elements that are teasers. */
  const lists = new Map<number, number[]>();
  let total = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    total += sizes[block]!;
    const thing = repeated[blockElement[block]!]!;
    if (thing < 0 || !beginsWithLink(table, first[thing]!) || !breaksOff.test(blockText(table, block))) continue;
    const list = lists.get(path[thing]!);
    if (list === undefined) lists.set(path[thing]!, [thing]);
    else if (list.at(-1) !== thing) list.push(thing);
  }
  for (const teasers of lists.values()) {
    if (teasers.length < LEAST_TEASERS) continue;
    const blocks = teasers.flatMap((teaser) => {
      const inside: number[] = [];
      for (let block = first[teaser]!; isBlockIn(table, block, teaser); block++)
        if (keep[block] === 1) inside.push(block);
      return inside;
    });
    const words = blocks.reduce((sum, block) => sum + sizes[block]!, 0);
    if (total - words < LEAST_BESIDES) continue;
    for (const block of blocks) keep[block] = 0;
    total -= words;
  }
}

function beginsWithLink({ firstText, texts, statistics, blockLeaf, elements }: PageTable, block: number): boolean {
  if (statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]! < LEAST_TITLE) return false;
  for (let node = texts[firstText[block]!]?.parent; node; node = node.parent) {
    if ("name" in node && node.name === "a") return true;
    if (node === elements[blockLeaf[block]!]) return false;
  }
  return false;
}
