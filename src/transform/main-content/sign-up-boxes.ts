/** Finds the boxes within a text that ask readers to subscribe, by their names and the forms in them. */
import { bitsOfMeanings } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const SUBSCRIBE = bitsOfMeanings("subscribe");
const FORM = tagId("form");
/** Shops and accounts have forms with other names. */
const boxName = /newsletter|subscri(?:be|ption)|mailing-?list|sign-?up|opt-?in|mailchimp/i;

/** The elements that have such a name and contain a form, outer elements first. */
export function findSignUpBoxes({ elements, end, meanings, tag }: PageTable): number[] {
  const boxes: number[] = [];
  let form = tag.indexOf(FORM);
  for (let element = 0; form >= 0 && element < elements.length; element++) {
    if (form < element) form = tag.indexOf(FORM, element);
    if ((meanings[element]! & SUBSCRIBE) === 0 || form < 0 || form >= end[element]!) continue;
    const { class: classes = "", id = "" } = elements[element]!.attribs;
    if (boxName.test(`${classes} ${id}`)) boxes.push(element);
  }
  return boxes;
}
