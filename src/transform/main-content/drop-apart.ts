/** Leaves out parts that are apart from a page's text, whatever they say: comments below it, dialogs, the site's footer. */
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSiteFooter } from "./side-parts.ts";

const COMMENTS = meaningBit("comments");
/** Classes and ids of all comments together, or with the number of one. */
const commentsName =
  /^(?:comments|comment[-_]?list|comments?[-_](?:area|section|container|wrapper|thread|box|block|template)|disqus_thread|comment[-_]?\d+)$/i;
/** Threads consist of comments, shops name reviews so, and manuals explain code with them. */
const COMMENTED: ReadonlySet<PageType> = new Set<PageType>(["article", "listing", "collection", "service"]);
const dialogRoles = new Set(["dialog", "alertdialog"]);
const dialogTags = new Set(["dialog", "tool-tip"]);
/** If less than this is kept besides, in words, such a part is what the page is for. */
const LEAST_BESIDES = 60;
/** Values for an element that has been looked at. */
const BESIDES = 1;
const APART = 2;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropApart(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  const { blockElement, parent, arrays, elements } = table;
  const isPart = (element: number): boolean =>
    isDialog(table, element) || isSiteFooter(table, element) || (COMMENTED.has(pageType) && isComments(table, element));
  const places = arrays.bytes(elements.length);
  const isApart = (block: number): boolean => {
    const own = blockElement[block]!;
    let around = own;
    let place = 0;
    // The first element is the page itself.
    for (; place === 0 && around > 0; around = parent[around]!) place = places[around]! || (isPart(around) ? APART : 0);
    place ||= BESIDES;
    for (let element = own; element > around; element = parent[element]!) places[element] = place;
    return place === APART;
  };
  let besides = 0;
  const apart: number[] = [];
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    if (isApart(block)) apart.push(block);
    else besides += sizes[block]!;
  }
  if (besides >= LEAST_BESIDES) for (const block of apart) keep[block] = 0;
}

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
