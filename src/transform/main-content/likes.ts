/** Groups the blocks at the same place in repeated elements: the labels of all cards, the texts of all posts. */
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";

/** Blocks with the same tags and first classes around them, within repeated elements. */
class Likes {
  /** Of the blocks' values. */
  sum = 0;
  blocks = 0;
  /** How many repeated elements contain them. */
  things = 0;
  /** The repeated element that contains the last of them. */
  thing = -1;
}

/** For each block the index of its likes in `groups`. Those at index 0 are empty, for blocks without likes. */
interface LikeGroups {
  readonly groupOf: Int32Array;
  readonly groups: readonly Likes[];
}

/**
 * @param values one for each block
 * @param areParts true: without blocks that are themselves what is repeated (a paragraph among others, an item of a list)
 */
export function groupLikes(
  { arrays, blockElement }: PageTable,
  { path, repeated, blocks }: ElementTotals,
  values: Float32Array | Uint8Array,
  areParts: boolean,
): LikeGroups {
  const places = new Map<number, number>();
  const groups = [new Likes()];
  const groupOf = arrays.integers(values.length);
  for (let block = 0; block < values.length; block++) {
    const element = blockElement[block]!;
    const thing = repeated[element]!;
    if (thing < 0 || (areParts && (thing === element || blocks[thing]! < 2))) continue;
    let group = places.get(path[element]!);
    if (group === undefined) {
      group = groups.push(new Likes()) - 1;
      places.set(path[element]!, group);
    }
    groupOf[block] = group;
    const likes = groups[group]!;
    likes.sum += values[block]!;
    likes.blocks++;
    if (likes.thing !== thing) likes.things++;
    likes.thing = thing;
  }
  return { groupOf, groups };
}
