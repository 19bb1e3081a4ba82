/** Keeps the posts of a thread together: texts at the same place that make up most of a page are its content. */
import { type ElementTotals, proseWords } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { mixHash } from "./text-statistics.ts";

/** Fewer texts may be alike by chance. */
const LEAST_POSTS = 3;
/** How many elements around a text tell its place. Above them, answers may stand within the posts that they answer. */
const REACH = 5;
/** From this share of the page's words on, the texts at one place are posts. */
const LEAST_SHARE = 0.66;
/** A smaller share is enough for a page with fewer words than this, whose frame is as large as that of other pages. */
const SHORT_PAGE = 1500;
const LEAST_SHARE_OF_SHORT = 0.45;
/** Texts that are nested so deep, and this share of the running text, are answers, whatever is around them. */
const LEAST_DEPTHS = 3;
const LEAST_PROSE = 0.6;
/** At least this share of the posts' words must be kept already. */
const LEAST_KEPT = 0.1;
const LEAST_KEPT_OF_NESTED = 0.05;
/** In words, on average; shorter texts are a list of links. */
const LEAST_LENGTH = 12;
/** In words; what is longer is a log. */
const LONGEST = 400;
/** A text less likely than this is no post, wherever it is. */
const LEAST_CHANCE = 0.05;

/** The texts at one place. */
interface Place {
  readonly blocks: number[];
  /** In words of running text. */
  prose: number;
  /** In words. */
  all: number;
  kept: number;
  /** How many elements contain them, and the last of these. */
  around: number;
  last: number;
}

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepPosts(
  table: PageTable,
  totals: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const posts = findPosts(table, keep, sizes);
  if (posts === undefined || posts.around < LEAST_POSTS) return;
  const prose = table.parent.reduce((sum, around, element) => sum + (around < 0 ? totals.proseWords[element]! : 0), 0);
  const total = sizes.reduce((sum, size) => sum + size);
  const leastShare = total < SHORT_PAGE ? LEAST_SHARE_OF_SHORT : LEAST_SHARE;
  const depths = new Set(posts.blocks.map((block) => table.depth[table.blockElement[block]!]!));
  const isNested = depths.size >= LEAST_DEPTHS && posts.prose >= LEAST_PROSE * prose;
  if (!isNested && posts.all < leastShare * total) return;
  if (posts.kept < (isNested ? LEAST_KEPT_OF_NESTED : LEAST_KEPT) * posts.all) return;
  if (posts.all < LEAST_LENGTH * posts.blocks.length) return;
  for (const block of posts.blocks) {
    if (sizes[block]! <= LONGEST && chances[block]! >= LEAST_CHANCE) keep[block] = 1;
  }
}

/** The texts at the place that has most of the running text. */
function findPosts(table: PageTable, keep: Uint8Array, sizes: Float32Array): Place | undefined {
  const { blockElement, parent } = table;
  const places = new Map<number, Place>();
  let posts: Place | undefined;
  for (let block = 0; block < keep.length; block++) {
    const element = blockElement[block]!;
    const hash = placeOf(table, element);
    const place = places.get(hash) ?? { blocks: [], prose: 0, all: 0, kept: 0, around: 0, last: -1 };
    places.set(hash, place);
    place.blocks.push(block);
    place.prose += proseWords(table, block);
    place.all += sizes[block]!;
    if (keep[block] === 1) place.kept += sizes[block]!;
    if (place.last !== parent[element]) place.around++;
    place.last = parent[element]!;
    if (posts === undefined || place.prose > posts.prose) posts = place;
  }
  return posts;
}

/** Hash of the tags and first classes of an element and of those around it. */
function placeOf({ parent, shapes, tag }: PageTable, element: number): number {
  let hash = 0;
  for (let step = 0; step < REACH && element >= 0; step++) {
    hash = mixHash(hash, mixHash(tag[element]!, shapes[element]!));
    element = parent[element]!;
  }
  return hash;
}
