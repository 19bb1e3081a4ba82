/** Leaves out the comments of visitors below a text. */
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { meaningBit } from "./name-words.ts";

/** Threads consist of such parts, shops name reviews so, and manuals explain code with them. */
const EXEMPT: ReadonlySet<PageType> = new Set<PageType>(["forum", "product", "documentation"]);
const COMMENTS = meaningBit("comments");
/** Classes and ids of all comments together, or with the number of one. */
const name =
  /^(?:comments|comment[-_]?list|comments?[-_](?:area|section|container|wrapper|thread|box|block|template)|disqus_thread|comment[-_]?\d+)$/i;
/** A page with fewer words besides is about its comments. */
const LEAST_WORDS = 60;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropComments(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  if (EXEMPT.has(pageType)) return;
  const { blockElement, elements, meanings, parent, arrays } = table;
  const inside = arrays.bytes(elements.length);
  // The first element is the page itself.
  for (let element = 1; element < elements.length; element++) {
    inside[element] = inside[parent[element]!] === 1 || ((meanings[element]! & COMMENTS) !== 0 && isNamed(table, element)) ? 1 : 0;
  }
  let words = 0;
  const comments: number[] = [];
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    if (inside[blockElement[block]!] === 1) comments.push(block);
    else words += sizes[block]!;
  }
  if (words >= LEAST_WORDS) for (const block of comments) keep[block] = 0;
}

function isNamed({ elements, tag }: PageTable, element: number): boolean {
  const { class: classes = "", id = "" } = elements[element]!.attribs;
  return name.test(id) || classes.split(/\s+/).some((one) => name.test(one));
}
