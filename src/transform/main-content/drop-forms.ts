/** Leaves out what is said in a form that readers fill in below a text: an application, an enquiry, a comment. */
import type { Element } from "domhandler";
import { walkElements } from "../html/walk.ts";
import { isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";

const FORM = tagId("form");
const CELL = tagId("td");
/**
 * Searches, filters and the choice of a product have fewer fields that are written in. They come before the form says
 * much: where a text comes first, a form is around it, or was never closed.
 */
const LEAST_FIELDS = 3;
/** A block of more words says much. */
const MOST_OF_LABEL = 25;
const written: ReadonlySet<string> = new Set(["", "text", "email", "tel", "url", "file", "password", "date"]);
/** If less than this is kept besides, in words, the form is what the page is for. */
const LEAST_BESIDES = 100;
/** Further forms are not looked at, each of which takes time: there are as many only in lists. */
const MOST_FORMS = 20;
/** Some systems put a whole page into a form. A form has this many words at most, as a multiple of those besides. */
const MOST_TIMES = 1;

/** Takes from `keep`, in place. `sizes` are the blocks' sizes in words. */
export function dropForms(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  // The posts of some boards are in a form for those who moderate them.
  if (pageType === "forum") return;
  const { blockElement, elements, headingRanks, tag } = table;
  let forms = 0;
  for (let form = tag.indexOf(FORM); form >= 0 && forms < MOST_FORMS; form = tag.indexOf(FORM, form + 1)) {
    forms++;
    let first = keep.length;
    let last = -1;
    let inside = 0;
    let besides = 0;
    let isOther = false;
    let text: Element | undefined;
    for (let block = 0; block < keep.length; block++) {
      if (keep[block] === 0) continue;
      if (!isBlockIn(table, block, form)) besides += sizes[block]!;
      else {
        first = Math.min(first, block);
        last = block;
        inside += sizes[block]!;
        if (sizes[block]! > MOST_OF_LABEL) text ??= elements[blockElement[block]!]!;
        // Those in which an interface is tried out describe it in tables.
        if (headingRanks[block] === 1 || tag[blockElement[block]!] === CELL) isOther = true;
      }
    }
    if (last < 0 || isOther || besides < LEAST_BESIDES || inside > MOST_TIMES * besides) continue;
    if (fieldsBefore(elements[form]!, text) < LEAST_FIELDS) continue;
    for (let block = first; block <= last; block++) if (isBlockIn(table, block, form)) keep[block] = 0;
    dropHeading(table, keep, first, last);
  }
}

/** @param text where to stop; absent: at the end */
function fieldsBefore(form: Element, text: Element | undefined): number {
  let fields = 0;
  let isBefore = true;
  walkElements(form, (element) => {
    const { name, attribs } = element;
    isBefore &&= element !== text;
    const isField = name === "textarea" || (name === "input" && written.has(attribs["type"]?.toLowerCase() ?? ""));
    if (isBefore && isField) fields++;
  });
  return fields;
}

/** Drops the heading above a form from its first to its last block, if nothing else is kept below the heading. */
function dropHeading({ headingRanks }: PageTable, keep: Uint8Array, first: number, last: number): void {
  const heading = keep.lastIndexOf(1, first);
  const next = keep.indexOf(1, last);
  const rank = heading < 0 ? 0 : headingRanks[heading]!;
  if (rank > 1 && (next < 0 || (headingRanks[next]! > 0 && headingRanks[next]! <= rank))) keep[heading] = 0;
}
