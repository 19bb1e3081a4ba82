/** Completes the posts of a thread: what stands in a post's text belongs to it, however short or odd it reads alone. */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_POSTS = 3;
/** Elements at one place that contain at least this share of what is kept may be the texts of posts. */
const LEAST_OF_KEPT = 0.8;
/** They are if at least this share of their words is kept. */
const LEAST_KEPT = 0.5;
/** In words: what a longer text counts at most, and the longest one to be added, because longer ones are logs. */
const MOST_COUNTED = 120;
const LONGEST = 400;
/** A text less likely than this is no part of a post, wherever it is. */
const LEAST_CHANCE = 0.05;
/**
 * By tag: if less than this share of the words at one place is kept, they are about the post: who wrote it, and when.
 * Lines of other elements are judged by themselves.
 */
const LEAST_KEPT_OF: ReadonlyMap<number, number> = new Map([
  [tagId("pre"), 0],
  [tagId("p"), 0.2],
  [tagId("li"), 0.5],
]);
/** Previews of links, quotations and controls are not what the author of the post says. */
const FOREIGN = new Set("aside blockquote figure header footer nav form details article table".split(" ").map(tagId));

/** The elements with the same tags and first classes around them. */
interface Place {
  posts: number;
  /** In words, of long texts not all. */
  kept: number;
  all: number;
}

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function completePosts(
  table: PageTable,
  { path }: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const { blockElement, elements, headingRanks, parent, tag } = table;
  const places = findPlaces(table, path, keep, sizes);
  const posts = placeOfPosts(places);
  if (posts === undefined) return;
  const isText = (element: number): boolean => {
    const least = LEAST_KEPT_OF.get(tag[element]!);
    const { kept, all } = places.get(path[element]!)!;
    return least !== undefined && kept >= least * all;
  };
  const first = firstBlocks(table);
  for (let post = 0; post < elements.length; post++) {
    if (path[post] !== posts) continue;
    for (let block = first[post]!; isBlockIn(table, block, post); block++) {
      if (keep[block] === 1 || chances[block]! < LEAST_CHANCE || sizes[block]! > LONGEST) continue;
      let element = blockElement[block]!;
      if (headingRanks[block] === 1 || !isText(element)) continue;
      while (element !== post && !FOREIGN.has(tag[element]!)) element = parent[element]!;
      if (element === post) keep[block] = 1;
    }
  }
}

function findPlaces(table: PageTable, path: Int32Array, keep: Uint8Array, sizes: Float32Array): Map<number, Place> {
  const { arrays, blockElement, elements, parent } = table;
  const kept = arrays.floats(elements.length);
  const all = arrays.floats(elements.length);
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0 && sizes[block]! > LONGEST) continue;
    const words = Math.min(MOST_COUNTED, sizes[block]!);
    all[blockElement[block]!]! += words;
    if (keep[block] === 1) kept[blockElement[block]!]! += words;
  }
  const places = new Map<number, Place>();
  for (let element = elements.length - 1; element >= 0; element--) {
    if (all[element] === 0) continue;
    const around = parent[element]!;
    if (around >= 0) {
      kept[around]! += kept[element]!;
      all[around]! += all[element]!;
    }
    const place = places.get(path[element]!) ?? { posts: 0, kept: 0, all: 0 };
    place.posts++;
    place.kept += kept[element]!;
    place.all += all[element]!;
    places.set(path[element]!, place);
  }
  return places;
}

/** Of several elements inside each other, the largest of which enough is kept. */
function placeOfPosts(places: ReadonlyMap<number, Place>): number | undefined {
  // The page itself contains all of it.
  const total = places.values().reduce((most, { kept }) => Math.max(most, kept), 0);
  let posts: number | undefined;
  let most = 0;
  for (const [path, { posts: count, kept, all }] of places) {
    if (count < LEAST_POSTS || kept < LEAST_OF_KEPT * total || kept < LEAST_KEPT * all || all <= most) continue;
    most = all;
    posts = path;
  }
  return posts;
}
