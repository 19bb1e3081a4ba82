/**
 * Keeps the short sections of a text of which most is kept: the last ones of a reference page (see also, authors,
 * keywords) read like the foot of any page.
 */
import { addUp } from "./add-up.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_SECTIONS = 4;
/** The share of the words of all sections that are kept. */
const LEAST_SHARE = 0.75;
/** In words; a longer section reads like what it is. */
const LONGEST = 40;
/** A section whose heading is less likely than this is about the page: its tags, its feed. */
const HEADING_CHANCE = 0.08;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function agreeSections(
  table: PageTable,
  totals: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const { arrays, blockElement, flags, parent } = table;
  if (!totals.alike.some((alike, element) => alike >= LEAST_SECTIONS && totals.headings[element]! > 0)) return;
  const all = arrays.doubles(parent.length);
  const kept = arrays.doubles(parent.length);
  for (let block = 0; block < keep.length; block++) {
    all[blockElement[block]!]! += sizes[block]!;
    if (keep[block] === 1) kept[blockElement[block]!]! += sizes[block]!;
  }
  addUp(all, parent);
  addUp(kept, parent);
  const first = firstBlocks(table);
  for (const sections of groupSections(table, totals, first)) {
    const words = (of: Float64Array): number => sections.reduce((sum, section) => sum + of[section]!, 0);
    if (sections.length < LEAST_SECTIONS || words(kept) < LEAST_SHARE * words(all)) continue;
    for (const section of sections) {
      if (kept[section]! === all[section]! || all[section]! > LONGEST || (flags[section]! & IN_HIDDEN) !== 0) continue;
      if (chances[first[section]!]! < HEADING_CHANCE) continue;
      for (let block = first[section]!; isBlockIn(table, block, section); block++) keep[block] = 1;
    }
  }
}

/** Elements beside each other that are alike and begin with headings of one rank. What cards begin with is wrapped. */
function groupSections(table: PageTable, totals: ElementTotals, first: Int32Array): Iterable<number[]> {
  const { blockElement, headingRanks, parent } = table;
  const groups = new Map<string, number[]>();
  for (let element = 0; element < parent.length; element++) {
    if (totals.alike[element]! < LEAST_SECTIONS || totals.headings[element] === 0) continue;
    const rank = headingRanks[first[element]!]!;
    if (rank === 0 || parent[blockElement[first[element]!]!] !== element) continue;
    const place = `${rank} ${parent[element]} ${totals.path[element]}`;
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [element]);
    else group.push(element);
  }
  return groups.values();
}
