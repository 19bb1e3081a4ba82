/** Which blocks stand in an element: they follow each other. */
import type { PageTable } from "./page-table.ts";

/** By element: the first block in it; the number of all blocks where there is none. */
export function firstBlocks({ arrays, blockElement, elements, parent }: PageTable): Int32Array {
  const first = arrays.integers(elements.length).fill(blockElement.length);
  for (let block = blockElement.length - 1; block >= 0; block--) first[blockElement[block]!] = block;
  for (let element = elements.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around >= 0) first[around] = Math.min(first[around]!, first[element]!);
  }
  return first;
}

/** Whether there is such a block and the element is around it, or one of those that follow it up to `end`. */
export function isBlockIn(table: PageTable, block: number, element: number, end = table.end[element]!): boolean {
  const { blockElement } = table;
  return block < blockElement.length && blockElement[block]! >= element && blockElement[block]! < end;
}
