/** Keeps the name of a language in front of kept code: it reads like a button, but nothing else may say what the code is. */
import { isLanguage } from "../markdown/code-languages.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const PRE = tagId("pre");
/** Elements between a block and the `pre` around it. */
const REACH = 3;
/** In characters. */
const LONGEST_NAME = 20;

/** Adds to `keep`, in place. */
export function keepCodeLabels(table: PageTable, keep: Uint8Array): void {
  for (let block = 1; block < keep.length; block++) {
    if (keep[block] === 1 && keep[block - 1] === 0 && isInCode(table, block) && namesLanguage(table, block - 1)) {
      keep[block - 1] = 1;
    }
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

function namesLanguage({ firstText, texts }: PageTable, block: number): boolean {
  const first = firstText[block]!;
  if (firstText[block + 1] !== first + 1) return false;
  const name = texts[first]!.data.trim();
  return name.length <= LONGEST_NAME && isLanguage(name);
}
