/** Leaves out what a forum adds to each post of a member: the signature below it, and the rank beside the name. */
import type { ElementTotals } from "./element-totals.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";

const THREAD = meaningBit("thread");
const name = /(?:^|[\s_-])(?:sig|signature|user[-_]?title)(?:$|[\s_-])/i;
/** Who asked and who answered is named so, too. */
const author = /post-signature/i;

/** Takes from `keep`, in place. Both stand within something repeated, and not alone. */
export function dropSignatures(table: PageTable, { repeated }: ElementTotals, keep: Uint8Array): void {
  const { arrays, blockElement, elements, meanings, parent } = table;
  const signed = arrays.bytes(elements.length);
  let found = false;
  for (let element = 1; element < elements.length; element++) {
    const around = parent[element]!;
    if (around >= 0 && signed[around] === 1) signed[element] = 1;
    else if ((meanings[element]! & THREAD) !== 0 && repeated[element]! >= 0 && repeated[element] !== element) {
      const { class: classes = "" } = elements[element]!.attribs;
      if (!name.test(classes) || author.test(classes)) continue;
      signed[element] = 1;
      found = true;
    }
  }
  if (!found) return;
  for (let block = 0; block < keep.length; block++) if (signed[blockElement[block]!] === 1) keep[block] = 0;
}
