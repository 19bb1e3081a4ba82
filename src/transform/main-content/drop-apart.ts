/** Leaves out parts that are apart from a page's text, whatever they say: comments below it, dialogs, the site's footer. */
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSiteFooter, TEXT_PARTS } from "./side-parts.ts";
import { tagId } from "./tags.ts";

const COMMENTS = meaningBit("comments");
/** Classes and ids of all comments together, or with the number of one. */
const commentsName =
  /^(?:(?:(?:wp-block|post|entry|article|blog|reader|user|story)[-_]{1,2})?comments|comment[-_]?list|comments?[-_](?:area|section|container|wrapper|thread|box|block|template)|disqus_thread|comment[-_]?\d+)$/i;
/** Threads consist of comments, shops name reviews so, and manuals explain code with them. */
const COMMENTED: ReadonlySet<PageType> = new Set<PageType>(["article", "listing", "collection", "service"]);
const DIALOG_ROLES = ["dialog", "alertdialog"];
const DIALOG = tagId("dialog");
const FOOTER = tagId("footer");
const TOOLTIP = "tool-tip";
/** If less than this is kept besides, in words, such a part is what the page is for. */
const LEAST_BESIDES = 60;
/** Values for an element that has been looked at. */
const BESIDES = 1;
const APART = 2;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropApart(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  const { blockElement, parent, arrays, elements } = table;
  const isPart = partTest(table, pageType);
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

/** Most pages have no such names, and their elements are not asked for them. */
function partTest(table: PageTable, pageType: PageType): (element: number) => boolean {
  const { elements, names, tag } = table;
  const hasDialogs = DIALOG_ROLES.some((role) => names.has("role", role));
  const hasNamedFooter = names.has("id", "footer");
  const hasComments = COMMENTED.has(pageType);
  return (element) => {
    if (tag[element] === DIALOG || (tag[element] === 0 && elements[element]!.name === TOOLTIP)) return true;
    if (hasDialogs && DIALOG_ROLES.includes(elements[element]!.attribs["role"] ?? "")) return true;
    if ((tag[element] === FOOTER || hasNamedFooter) && isSiteFooter(table, element)) return true;
    return hasComments && isComments(table, element);
  };
}

function isComments({ elements, meanings, tag }: PageTable, element: number): boolean {
  if ((meanings[element]! & COMMENTS) === 0 || TEXT_PARTS.has(tag[element]!)) return false;
  const { name, attribs } = elements[element]!;
  if (name === "body") return false;
  return (
    commentsName.test(attribs["id"] ?? "") ||
    (attribs["class"] ?? "").split(/\s+/).some((one) => commentsName.test(one))
  );
}
