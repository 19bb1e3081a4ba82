/**
 * Keeps a list of facts, of a ticket or a job, that stands amid the text or is kept in part: alone, some of its labels
 * and values read like content, and others do not, so there would be a priority without its value.
 */
import type { Element } from "domhandler";
import { someElement } from "../html/walk.ts";
import { blockLine } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import { labelEnd } from "./keep-labels.ts";
import type { PageTable } from "./page-table.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Fewer facts than this may be something else. */
const LEAST_FACTS = 4;
/** In words. */
const LONGEST_LABEL = 5;
const LONGEST_VALUE = 12;
/** The value's blocks: more of them are a section under its heading. */
const MOST_BLOCKS = 3;
const fields: ReadonlySet<string> = new Set(["input", "select", "textarea"]);
const isField = ({ name, attribs }: Element): boolean => fields.has(name) && attribs["type"] !== "hidden";

interface Fact {
  readonly label: string;
  readonly block: number;
  /** The first block after its value. */
  readonly end: number;
}

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepFacts(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const lists = factLists(table, sizes);
  const counts = new Map<string, number>();
  for (const { label } of lists.flat()) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const facts of lists) {
    // Labels that come again are about one item of many, such as the writer of each post.
    if (facts.length < LEAST_FACTS || facts.some(({ label }) => counts.get(label)! > 1)) continue;
    const from = facts[0]!.block;
    const until = facts.at(-1)!.end;
    const isAmidText = keep[from - 1] === 1 && keep[until] === 1;
    if (!isAmidText && !keep.subarray(from, until).includes(1)) continue;
    for (const { block, end } of facts) if (end > block + 1) keep.fill(1, block, end);
  }
}

/** Facts that follow each other. */
function factLists(table: PageTable, sizes: Float32Array): Fact[][] {
  const lists: Fact[][] = [];
  let end = -1;
  for (let block = 0; block < sizes.length; block++) {
    const fact = factAt(table, block, sizes);
    if (fact === undefined) continue;
    if (block === end) lists.at(-1)!.push(fact);
    else lists.push([fact]);
    end = fact.end;
    block = end - 1;
  }
  return lists;
}

/** A label and its value, alone in an element together. */
function factAt(table: PageTable, block: number, sizes: Float32Array): Fact | undefined {
  const { blockElement, elements, parent, statistics } = table;
  const row = block * STATISTIC_COUNT;
  if (statistics[row + STATISTIC.words]! > LONGEST_LABEL || statistics[row + STATISTIC.linkWords]! > 0)
    return undefined;
  const around = parent[blockElement[block]!]!;
  if (around < 0 || isBlockIn(table, block - 1, around)) return undefined;
  const label = blockLine(table, block);
  if (!labelEnd.test(label)) return undefined;
  let end = block + 1;
  for (let words = 0; isBlockIn(table, end, around); end++) {
    words += sizes[end]!;
    if (words > LONGEST_VALUE || end > block + MOST_BLOCKS) return undefined;
  }
  // What is filled in may be beside the facts for those who may change them, under the same labels.
  return hasField(elements[around]!) ? undefined : { label, block, end };
}

/** Whether an element is, or holds, a field that readers see. */
export const hasField = (element: Element): boolean => someElement(element, isField);
