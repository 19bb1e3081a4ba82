/** Finds the boxes within a text that ask readers to subscribe, by their names and what is in them. */
import { textLength } from "../html/walk.ts";
import { bitsOfMeanings } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { FORMS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

const SUBSCRIBE = bitsOfMeanings("subscribe");
/** Shops and accounts have forms with other names. */
const boxName = /newsletter|subscri(?:be|ption)|mailing-?list|sign-?up|opt-?in|mailchimp/i;

/** A box that only leads to a form: the archive of a newsletter consists of links. */
const invitation = /sign-?up|subscribe|opt-?in/i;
const LINK = tagId("a");
/** Most elements of such a box, and characters. */
const MOST_INVITING = 12;
const LONGEST = 200;

/** The elements that have such a name and contain a form or a button, or hardly more than a link; outer ones first. */
export function findSignUpBoxes({ elements, end, meanings, tag }: PageTable): number[] {
  const boxes: number[] = [];
  // Its fields are not in the table.
  const nextControl = (from: number): number => {
    while (from < tag.length && !FORMS.has(tag[from]!)) from++;
    return from;
  };
  const isInvitation = (element: number): boolean => {
    const size = end[element]! - element;
    if (size < 2 || size > MOST_INVITING || textLength(elements[element]!) > LONGEST) return false;
    const links = elements.slice(element + 1, end[element]!).filter((_, at) => tag[element + 1 + at] === LINK);
    return links.length > 0 && links.every(({ attribs }) => !attribs["href"]?.startsWith("mailto:"));
  };
  let control = -1;
  for (let element = 0; element < elements.length; element++) {
    if ((meanings[element]! & SUBSCRIBE) === 0) continue;
    if (control < element) control = nextControl(element);
    const { class: classes = "", id = "" } = elements[element]!.attribs;
    const name = `${classes} ${id}`;
    if (!boxName.test(name)) continue;
    if (control < end[element]! || (invitation.test(name) && isInvitation(element))) boxes.push(element);
  }
  return boxes;
}
