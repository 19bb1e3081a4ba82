/** Keeps the posts of a thread together: the repeated texts that make up most of a page are its content. */
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_POSTS = 3;
/** From this share of the page's words on, the texts at the same place in repeated elements are posts. */
const LEAST_SHARE = 0.66;
/** A smaller share is enough for a page with fewer words than this, whose frame is as large as that of other pages. */
const SHORT_PAGE = 1500;
const LEAST_SHARE_OF_SHORT = 0.45;
/** At least this share of the posts' words must be kept already. */
const LEAST_KEPT = 0.1;
/** In words, on average; shorter texts are a list of links. */
const LEAST_LENGTH = 12;
/** A text less likely than this is no post, wherever it is. */
const LEAST_CHANCE = 0.05;

class Posts {
  words = 0;
  kept = 0;
  blocks = 0;
  things = 0;
  /** The repeated element that contains the last of them. */
  thing = -1;
}

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepPosts(
  { blockElement }: PageTable,
  { path, repeated }: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const places = new Map<number, Posts>();
  let total = 0;
  let largest: Posts | undefined;
  for (let block = 0; block < keep.length; block++) {
    total += sizes[block]!;
    const element = blockElement[block]!;
    const thing = repeated[element]!;
    if (thing < 0) continue;
    let posts = places.get(path[element]!);
    if (posts === undefined) {
      posts = new Posts();
      places.set(path[element]!, posts);
    }
    posts.words += sizes[block]!;
    posts.blocks++;
    if (keep[block] === 1) posts.kept += sizes[block]!;
    if (posts.thing !== thing) posts.things++;
    posts.thing = thing;
    if (largest === undefined || posts.words > largest.words) largest = posts;
  }
  const least = total < SHORT_PAGE ? LEAST_SHARE_OF_SHORT : LEAST_SHARE;
  if (largest === undefined || largest.things < LEAST_POSTS || largest.words < least * total) return;
  if (largest.kept < LEAST_KEPT * largest.words || largest.words < LEAST_LENGTH * largest.blocks) return;
  const isPost = (block: number): boolean => {
    const element = blockElement[block]!;
    return repeated[element]! >= 0 && places.get(path[element]!) === largest;
  };
  for (let block = 0; block < keep.length; block++) {
    if (chances[block]! >= LEAST_CHANCE && isPost(block)) keep[block] = 1;
  }
}
