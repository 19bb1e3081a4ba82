/** Leaves out parts that are apart from a page's text, whatever they say: comments below it, dialogs, the site's footer. */
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSiteFooter } from "./side-parts.ts";
import { findUnseen } from "./unseen-parts.ts";

const COMMENTS = meaningBit("comments");
/** Classes and ids of all comments together, or with the number of one. */
const commentsName =
  /^(?:comments|comment[-_]?list|comments?[-_](?:area|section|container|wrapper|thread|box|block|template)|disqus_thread|comment[-_]?\d+)$/i;
/** Threads consist of comments, shops name reviews so, and manuals explain code with them. */
const COMMENTED: ReadonlySet<PageType> = new Set<PageType>(["article", "listing", "collection", "service"]);
const dialogRoles = new Set(["dialog", "alertdialog", "tooltip"]);
const dialogTags = new Set(["dialog", "tool-tip"]);
/** If less than this is kept besides, in words, such a part is what the page is for. */
const LEAST_BESIDES = 60;
/** The same for what is hidden, in paragraphs of this many words at least: scripts may show it. */
const LEAST_SEEN = 150;
const PARAGRAPH = 15;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropApart(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  const { blockElement, parent, arrays } = table;
  // Readers of an article see one text; pages of other types show parts of theirs at a click.
  const unseen = new Set(pageType === "article" ? findUnseen(table, keep) : []);
  const isApart = (element: number): boolean =>
    isDialog(table, element) || isSiteFooter(table, element) || (COMMENTED.has(pageType) && isComments(table, element));
  // By element: 0 if not known yet, or the number of a place.
  const places = arrays.bytes(table.elements.length);
  const placeOf = (element: number): number => {
    let around = element;
    let place = 0;
    // The first element is the page itself.
    for (; place === 0 && around > 0; around = parent[around]!) {
      place = places[around]! || (isApart(around) ? APART : unseen.has(around) ? UNSEEN : 0);
    }
    place ||= BESIDES;
    for (let inner = element; inner > around; inner = parent[inner]!) places[inner] = place;
    return place;
  };
  let besides = 0;
  let seen = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    const place = placeOf(blockElement[block]!);
    if (place !== APART) besides += sizes[block]!;
    if (place === BESIDES && sizes[block]! >= PARAGRAPH) seen += sizes[block]!;
  }
  const dropsApart = besides >= LEAST_BESIDES;
  const dropsUnseen = seen >= LEAST_SEEN;
  for (let block = 0; block < keep.length; block++) {
    // A title may be there for programs that read the page aloud.
    if (keep[block] === 0 || table.headingRanks[block] === 1) continue;
    const place = placeOf(blockElement[block]!);
    if ((place === APART && dropsApart) || (place === UNSEEN && dropsUnseen)) keep[block] = 0;
  }
}

const BESIDES = 1;
const APART = 2;
const UNSEEN = 3;

function isDialog({ elements }: PageTable, element: number): boolean {
  const { name, attribs } = elements[element]!;
  return dialogTags.has(name) || dialogRoles.has(attribs["role"] ?? "") || attribs["aria-modal"] === "true";
}

function isComments({ elements, meanings }: PageTable, element: number): boolean {
  if ((meanings[element]! & COMMENTS) === 0) return false;
  const { name, attribs } = elements[element]!;
  if (name === "body") return false;
  return (
    commentsName.test(attribs["id"] ?? "") ||
    (attribs["class"] ?? "").split(/\s+/).some((one) => commentsName.test(one))
  );
}
