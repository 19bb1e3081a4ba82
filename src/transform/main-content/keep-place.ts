/** Keeps where something is, right below its name: the town of a job, the address of a house, the venue of an event. */
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";

/** Blocks after the name that are examined. */
const REACH = 4;
/** In words; a longer text says more than a place. */
const LONGEST = 15;
/** Above this share of links, it leads to other places. */
const MOST_LINKED = 0.5;
/** How far up from a block its name is searched for. */
const REACH_OF_NAME = 2;
const placeName = /(?:^|[^a-z])(?:address|addr|(?:job)?locations?|locality|venue)(?![a-z])/i;

/** Adds to `keep`, in place, texts in elements that are named so. `sizes` are the blocks' sizes in words. */
export function keepPlace(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const isTitle = (rank: number, block: number): boolean => rank === 1 && keep[block] === 1;
  const title = table.headingRanks.findIndex(isTitle);
  const name = title < 0 ? keep.indexOf(1) : title;
  if (name < 0 || table.headingRanks[name] === 0) return;
  let next = name + 1;
  // A title may be in several pieces.
  while (keep[next] === 1 && table.headingRanks[next]! > 0) next++;
  for (let block = next; block < next + REACH && keep[block] === 0; block++) {
    const isShort = sizes[block]! <= LONGEST && linkShare(table, block) <= MOST_LINKED;
    if (isShort && isNamedPlace(table, block)) keep[block] = 1;
  }
}

function isNamedPlace({ blockElement, elements, parent }: PageTable, block: number): boolean {
  let element = blockElement[block]!;
  for (let step = 0; step < REACH_OF_NAME && element >= 0; step++) {
    const { class: classes, itemprop } = elements[element]!.attribs;
    if (placeName.test(classes ?? "") || placeName.test(itemprop ?? "")) return true;
    element = parent[element]!;
  }
  return false;
}
