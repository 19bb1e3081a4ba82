/** Keeps captions in the text of a simple page: a credit in a caption reads like a note of the site. */
import type { PageTable } from "./page-table.ts";
import { isSimplePage } from "./simple-page.ts";
import { tagId } from "./tags.ts";

const CAPTION = tagId("figcaption");

/** Adds captions between two kept blocks to `keep`, in place. */
export function keepCaptions(table: PageTable, keep: Uint8Array): void {
  if (!isSimplePage(table)) return;
  const { blockElement, tag, parent } = table;
  for (let block = 1; block + 1 < keep.length; block++) {
    const element = blockElement[block]!;
    const isCaption = tag[element] === CAPTION || tag[parent[element]!] === CAPTION;
    if (isCaption && keep[block - 1] === 1 && keep[block + 1] === 1) keep[block] = 1;
  }
}
