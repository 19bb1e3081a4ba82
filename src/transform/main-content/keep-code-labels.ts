/**
 * Keeps the name of a language or a file before kept code: it reads like a button, but nothing else may tell what the
 * code is.
 */

import { isLanguage } from "../markdown/code-languages.ts";
import { blockText } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const PRE = tagId("pre");
const BUTTON = tagId("button");
/** Elements between a block and the `pre` around it. */
const REACH = 3;
/** In characters. */
const LONGEST_NAME = 20;
const LONGEST_FILE = 100;
/** With or without a folder, and perhaps after words that introduce it. */
const fileName = /^(?:file(?:[ -]?name)?\s*:\s*)?(?:[\w.@~$[\]{}()*-]*[/\\])*[\w.@~$[\]{}()*-]*\.[a-z][a-z\d]{0,9}$/i;

/** Adds to `keep`, in place. */
export function keepCodeLabels(table: PageTable, keep: Uint8Array): void {
  const { tag, blockElement } = table;
  for (let block = 1; block < keep.length; block++) {
    if (keep[block] === 0 || keep[block - 1] === 1 || !isInCode(table, block)) continue;
    // There may be a button between them, to copy the code or to run it.
    const label = tag[blockElement[block - 1]!] === BUTTON ? block - 2 : block - 1;
    if (label >= 0 && namesCode(table, label)) keep[label] = 1;
  }
}

function isInCode({ tag, parent, blockElement }: PageTable, block: number): boolean {
  let element = blockElement[block]!;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (tag[element] === PRE) return true;
    element = parent[element]!;
  }
  return false;
}

function namesCode(table: PageTable, block: number): boolean {
  const name = blockText(table, block, LONGEST_FILE).trim();
  return (name.length <= LONGEST_NAME && isLanguage(name)) || (name.length <= LONGEST_FILE && fileName.test(name));
}
