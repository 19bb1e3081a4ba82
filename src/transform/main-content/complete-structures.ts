/** Makes the choice of blocks whole: headings of kept sections, rows of kept tables, items of kept lists. */
import { isHeadingTag } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

/** A heading is kept with its section from this chance and this kept share of the section on. */
const HEADING_CHANCE = 0.05;
const SECTION_SHARE = 0.3;
/** Elements that are kept whole from this kept share on. */
const WHOLE_FROM = new Map([
  [tagId("tr"), 0.3],
  [tagId("dl"), 0.3],
  [tagId("table"), 0.6],
  [tagId("ul"), 0.6],
  [tagId("ol"), 0.6],
  [tagId("li"), 0.6],
]);
const FIRST_HEADING = tagId("h1");
const DEEPEST = 6;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function completeStructures(
  table: PageTable,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  completeContainers(table, keep, sizes);
  completeHeadings(table, keep, chances, sizes);
}

function completeContainers(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { parent, tag, blockElement } = table;
  const all = new Float64Array(tag.length);
  const kept = new Float64Array(tag.length);
  for (let block = 0; block < keep.length; block++) {
    all[blockElement[block]!]! += sizes[block]!;
    if (keep[block] === 1) kept[blockElement[block]!]! += sizes[block]!;
  }
  for (let element = tag.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around < 0) continue;
    all[around]! += all[element]!;
    kept[around]! += kept[element]!;
  }
  const whole = new Uint8Array(tag.length);
  for (let element = 0; element < tag.length; element++) {
    const around = parent[element]!;
    const from = WHOLE_FROM.get(tag[element]!);
    const enough = from !== undefined && all[element]! > 0 && kept[element]! >= from * all[element]!;
    if (enough || (around >= 0 && whole[around] === 1)) whole[element] = 1;
  }
  for (let block = 0; block < keep.length; block++) if (whole[blockElement[block]!] === 1) keep[block] = 1;
}

/** From the end: what lies between a heading and the next one of its rank decides about it. */
function completeHeadings(table: PageTable, keep: Uint8Array, chances: Float32Array, sizes: Float32Array): void {
  // For each rank: words, and kept words, since the last heading of that rank or above.
  const all = new Float64Array(DEEPEST + 1);
  const kept = new Float64Array(DEEPEST + 1);
  for (let block = keep.length - 1; block >= 0; block--) {
    const rank = headingRank(table, block);
    if (rank > 0 && chances[block]! >= HEADING_CHANCE && all[rank]! > 0 && kept[rank]! >= SECTION_SHARE * all[rank]!) {
      keep[block] = 1;
    }
    for (let other = 1; other <= DEEPEST; other++) {
      if (rank > 0 && other >= rank) {
        all[other] = 0;
        kept[other] = 0;
      } else {
        all[other]! += sizes[block]!;
        if (keep[block] === 1) kept[other]! += sizes[block]!;
      }
    }
  }
}

function headingRank(table: PageTable, block: number): number {
  const own = table.blockElement[block]!;
  const around = table.parent[own]!;
  if (isHeadingTag(table.tag[own]!)) return table.tag[own]! - FIRST_HEADING + 1;
  return around >= 0 && isHeadingTag(table.tag[around]!) ? table.tag[around]! - FIRST_HEADING + 1 : 0;
}
