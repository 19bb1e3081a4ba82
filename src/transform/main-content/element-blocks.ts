/** Finds the blocks in an element, which are consecutive. */
import type { PageTable } from "./page-table.ts";

/** By element: the first block in it; the number of all blocks if it contains none. */
export function firstBlocks({ arrays, blockElement, elements, parent }: PageTable): Int32Array {
  const first = arrays.integers(elements.length).fill(blockElement.length);
  for (let block = blockElement.length - 1; block >= 0; block--) first[blockElement[block]!] = block;
  for (let element = elements.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around >= 0) first[around] = Math.min(first[around]!, first[element]!);
  }
  return first;
}

/**
 * Whether the block exists and is in the element, or in one of those that follow it up to `end`. Text after an element
 * may belong to one around it, which has a lower index.
 */
export function isBlockIn(table: PageTable, block: number, element: number, end = table.end[element]!): boolean {
  const { blockElement } = table;
  return block < blockElement.length && blockElement[block]! >= element && blockElement[block]! < end;
}
