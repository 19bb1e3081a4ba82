/** Treats the same parts of repeated elements alike: if nearly all cards of a page keep their label, all of them do. */
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_THINGS = 4;
/** If at least the first share of a part's likes is kept, all are; if at most the second, none. */
const MOST = 0.8;
const LEAST = 0.1;
/** In words; a longer text is judged by itself. */
const LONGEST = 12;

/** Blocks at the same place in repeated elements. */
interface Likes {
  kept: number;
  blocks: number;
  things: number;
  /** The repeated element that contains the last of them. */
  thing: number;
}

/** Adds to `keep` and takes from it, in place. `sizes` are the blocks' sizes in words. */
export function agreeLikes(
  table: PageTable,
  pageType: PageType,
  totals: ElementTotals,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  const likesOf = findLikes(table, totals, keep);
  // What every post of a thread has (name, date, number) is about the post, so it is not kept in case of doubt.
  const most = pageType === "forum" ? Number.POSITIVE_INFINITY : MOST;
  for (let block = 0; block < keep.length; block++) {
    const likes = likesOf[block];
    if (likes === undefined || likes.things < LEAST_THINGS || sizes[block]! > LONGEST) continue;
    if (likes.kept >= likes.blocks * most) keep[block] = 1;
    else if (likes.kept <= likes.blocks * LEAST) keep[block] = 0;
  }
}

/** For each block its likes: the blocks with the same tags and first classes around them, within repeated elements. */
function findLikes(
  { blockElement }: PageTable,
  { path, repeated, blocks }: ElementTotals,
  keep: Uint8Array,
): (Likes | undefined)[] {
  const places = new Map<number, Likes>();
  const likesOf: (Likes | undefined)[] = [];
  for (let block = 0; block < keep.length; block++) {
    const element = blockElement[block]!;
    const thing = repeated[element]!;
    // A paragraph among others, or an item of a list, is not part of a repeated element: it is one itself.
    if (thing < 0 || thing === element || blocks[thing]! < 2) {
      likesOf.push(undefined);
      continue;
    }
    let likes = places.get(path[element]!);
    if (likes === undefined) {
      likes = { kept: 0, blocks: 0, things: 0, thing: -1 };
      places.set(path[element]!, likes);
    }
    likes.kept += keep[block]!;
    likes.blocks++;
    if (likes.thing !== thing) likes.things++;
    likes.thing = thing;
    likesOf.push(likes);
  }
  return likesOf;
}
