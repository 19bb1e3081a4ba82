import type { PageTable } from "./page-table.ts";

/**
 * The element itself, or the innermost of the elements around it, that has one of the tags; -1 if none has, up to the
 * `reach`th of them.
 */
export function innermost({ parent, tag }: PageTable, from: number, tags: ReadonlySet<number>, reach: number): number {
  let element = from;
  for (let step = 0; step <= reach && element >= 0; step++) {
    if (tags.has(tag[element]!)) return element;
    element = parent[element]!;
  }
  return -1;
}
