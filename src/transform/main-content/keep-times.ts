/** Keeps the times of a live blog or of comments: each of its posts has one, and a post says little without it. */
import { addUp } from "./add-up.ts";
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const TIME = tagId("time");
/** Fewer posts than this may be something else. */
const LEAST_POSTS = 3;
/** The share of the posts of which a text is kept. */
const LEAST_SHARE = 0.8;
/** Kept words of such a text. */
const LEAST_WORDS = 10;
/** In words; a longer block says more than a time, or than who wrote a post. */
const LONGEST = 8;
/** If what stands beside this share of the times is kept, so it is beside the others. */
const LEAST_BESIDE = 0.25;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepTimes(table: PageTable, totals: ElementTotals, keep: Uint8Array, sizes: Float32Array): void {
  const { arrays, blockElement, blockLeaf, parent, tag } = table;
  if (!tag.includes(TIME)) return;
  const kept = arrays.integers(parent.length);
  for (let block = 0; block < keep.length; block++) if (keep[block] === 1) kept[blockElement[block]!]! += sizes[block]!;
  addUp(kept, parent);
  /** The times at the same place in the posts. */
  const places = new Map<number, number[]>();
  for (let block = 0; block < keep.length; block++) {
    const leaf = blockLeaf[block]!;
    if (sizes[block]! > LONGEST || (tag[leaf] !== TIME && tag[parent[leaf]!] !== TIME)) continue;
    const element = blockElement[block]!;
    if (totals.repeated[element]! < 0) continue;
    const times = places.get(totals.path[element]!) ?? [];
    places.set(totals.path[element]!, times);
    times.push(block);
  }
  for (const times of places.values()) {
    const ofKept = times.filter((block) => kept[totals.repeated[blockElement[block]!]!]! >= LEAST_WORDS);
    if (times.length < LEAST_POSTS || ofKept.length < LEAST_SHARE * times.length) continue;
    for (const block of ofKept) keep[block] = 1;
    keepBeside(table, totals, keep, sizes, ofKept);
  }
}

/** Mostly who wrote each post: alone, the names of some read like content, and those of others do not. */
function keepBeside(
  { blockElement }: PageTable,
  { path, repeated }: ElementTotals,
  keep: Uint8Array,
  sizes: Float32Array,
  times: readonly number[],
): void {
  const places = new Map<number, number[]>();
  for (const time of times) {
    for (const block of [time - 1, time + 1]) {
      const element = blockElement[block];
      if (element === undefined || sizes[block]! > LONGEST) continue;
      if (repeated[element] !== repeated[blockElement[time]!]) continue;
      const blocks = places.get(path[element]!) ?? [];
      places.set(path[element]!, blocks);
      blocks.push(block);
    }
  }
  for (const blocks of places.values()) {
    const kept = blocks.filter((block) => keep[block] === 1).length;
    if (kept >= LEAST_BESIDE * times.length) for (const block of blocks) keep[block] = 1;
  }
}
