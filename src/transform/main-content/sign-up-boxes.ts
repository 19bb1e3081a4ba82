/** Finds the boxes within a text that ask readers to subscribe, by their names and what is in them. */
import { bitsOfMeanings } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const SUBSCRIBE = bitsOfMeanings("subscribe");
/** Not every page has a form there, and its fields are not in the table. */
const CONTROLS = new Set(["form", "button"].map(tagId));
/** Shops and accounts have forms with other names. */
const boxName = /newsletter|subscri(?:be|ption)|mailing-?list|sign-?up|opt-?in|mailchimp/i;

/** The elements that have such a name and contain a form or a button, outer elements first. */
export function findSignUpBoxes({ elements, end, meanings, tag }: PageTable): number[] {
  const boxes: number[] = [];
  const nextControl = (from: number): number => {
    while (from < tag.length && !CONTROLS.has(tag[from]!)) from++;
    return from;
  };
  let control = -1;
  for (let element = 0; element < elements.length; element++) {
    if ((meanings[element]! & SUBSCRIBE) === 0) continue;
    if (control < element) control = nextControl(element);
    if (control >= end[element]!) continue;
    const { class: classes = "", id = "" } = elements[element]!.attribs;
    if (boxName.test(`${classes} ${id}`)) boxes.push(element);
  }
  return boxes;
}
