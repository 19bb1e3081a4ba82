/** Leaves out what a page contains a second time for larger or smaller screens. */
import { blockLine } from "./block-text.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";

/** Articles and threads contain their text once, and the copies in manuals are about different things. */
const TYPES: ReadonlySet<PageType> = new Set<PageType>(["product", "collection", "listing", "service"]);
/** Names of classes that show or hide an element depending on the size of the screen. */
const name =
  /(?:^|\s)(?:[\w-]*[_-])?(?:hidden|hide|visible|show|only|d|display|invisible)(?:-\w+)?[-_](?:xs|sm|md|lg|xl|xxl|mobile|desktop|tablet|phone|small|medium|large|handheld)(?:-(?:up|down|only|none|block|flex))?(?![\w-])|(?:^|[\s_-])(?:mobile|desktop|tablet|phone)[-_]?(?:only|hide|hidden|show|visible)(?![a-z])|(?:^|\s)(?:xs|sm|md|lg|xl):(?:hidden|block|flex|grid|inline)/i;
const LONGEST_NAME = 300;
/** Pages with more such elements repeat something else; and places of one text that are remembered. */
const MOST_PARTS = 500;
const MOST_PLACES = 20;
/** At least this share of an element's words must be said elsewhere. */
const LEAST_SHARE = 0.7;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropAlternatives(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  if (!TYPES.has(pageType)) return;
  const { blockElement, elements, end, parent } = table;
  /** By element: the innermost named element around it, or itself; 0 if there is none. */
  const partAround = table.arrays.integers(elements.length);
  const parts: number[] = [];
  // A page has most of its classes many times.
  const known = new Map<string, boolean>();
  for (let element = 1; element < elements.length; element++) {
    partAround[element] = partAround[parent[element]!] ?? 0;
    const { class: names = "" } = elements[element]!.attribs;
    if (names === "" || names.length > LONGEST_NAME || elements[element]!.name === "body") continue;
    const isNamed = known.get(names) ?? name.test(names);
    known.set(names, isNamed);
    if (!isNamed) continue;
    partAround[element] = element;
    parts.push(element);
  }
  if (parts.length === 0 || parts.length > MOST_PARTS) return;
  const said = new Map<string, number[]>();
  const textOf = (block: number): string => blockLine(table, block).toLowerCase();
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    const text = textOf(block);
    const blocks = said.get(text);
    if (blocks === undefined) said.set(text, [block]);
    else if (blocks.length < MOST_PLACES) blocks.push(block);
  }
  const first = firstBlocks(table);
  // Of two alternatives, the second one goes.
  for (const part of parts.reverse()) {
    const { class: names } = elements[part]!.attribs;
    const isSaidElsewhere = (block: number): boolean => {
      return said.get(textOf(block))!.some((other) => {
        const element = blockElement[other]!;
        if (keep[other] === 0 || (element >= part && element < end[part]!)) return false;
        return partAround[element]! > 0 && elements[partAround[element]!]!.attribs["class"] !== names;
      });
    };
    const copies: number[] = [];
    let all = 0;
    let copied = 0;
    for (let block = first[part]!; isBlockIn(table, block, part); block++) {
      if (keep[block] === 0 || partAround[blockElement[block]!] !== part) continue;
      all += sizes[block]!;
      if (!isSaidElsewhere(block)) continue;
      copies.push(block);
      copied += sizes[block]!;
    }
    if (copied >= LEAST_SHARE * all) for (const block of copies) keep[block] = 0;
  }
}
