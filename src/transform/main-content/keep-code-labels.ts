/**
 * Keeps the name of a language or a file before kept code: it reads like a button, but nothing else may tell what the
 * code is.
 */

import { isLanguage } from "../markdown/code-languages.ts";
import { blockText } from "./block-text.ts";
import { innermost } from "./innermost.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const PRE: ReadonlySet<number> = new Set([tagId("pre")]);
const BUTTON = tagId("button");
/** How far up from a block the `pre` around it is searched for. */
const REACH = 2;
/** In characters. */
const LONGEST_NAME = 20;
const LONGEST_FILE = 100;
/** With or without a folder, and perhaps after words that introduce it. */
const fileName = /^(?:file(?:[ -]?name)?\s*:\s*)?(?:[\w.@~$[\]{}()*-]*[/\\])*[\w.@~$[\]{}()*-]*\.[a-z][a-z\d]{0,9}$/i;

/** Adds to `keep`, in place. */
export function keepCodeLabels(table: PageTable, keep: Uint8Array): void {
  const { tag, blockElement } = table;
  for (let block = 1; block < keep.length; block++) {
    if (keep[block] === 0 || keep[block - 1] === 1 || innermost(table, blockElement[block]!, PRE, REACH) < 0) continue;
    // There may be a button between them, to copy the code or to run it.
    const label = tag[blockElement[block - 1]!] === BUTTON ? block - 2 : block - 1;
    if (label >= 0 && namesCode(table, label)) keep[label] = 1;
  }
}

function namesCode(table: PageTable, block: number): boolean {
  const name = blockText(table, block, LONGEST_FILE).trim();
  return (name.length <= LONGEST_NAME && isLanguage(name)) || (name.length <= LONGEST_FILE && fileName.test(name));
}
