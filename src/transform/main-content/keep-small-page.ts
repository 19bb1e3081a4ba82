/** Small pages: the model has seen few, and a title or a link that it takes from them is a large part of what they say. */
import { meaningBit } from "./name-words.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

/** A page of fewer words is small. */
const SMALL_PAGE = 100;

const MAIN = tagId("main");
const BODY = tagId("body");
/** What names may say that speaks against a part; other names are those of content. */
const AGAINST = [
  ...["navigation", "sidebar", "footer", "header", "related", "share", "advert", "consent", "overlay", "subscribe"],
  ...["breadcrumb", "pagination", "comments", "hidden", "form"],
]
  .map(meaningBit)
  .reduce((bits, bit) => bits | bit);
const SIDE_TAGS = new Set(["nav", "header", "aside", "footer", "form", "dialog", "button"].map(tagId));
const FRAME_TAGS = new Set(["nav", "header", "footer"].map(tagId));
const CONTENT_TAGS = new Set(["main", "article", "section"].map(tagId));

/**
 * Keeps all of a small page's main part that nothing speaks against: no tag around it, no name, and not that it is hidden.
 * Adds to `keep`, in place. `sizes` are the blocks' sizes in words.
 */
export function keepSmallPage(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  if (!isSmallPage(sizes)) return;
  const { tag, end, blockElement } = table;
  const main = tag.indexOf(MAIN);
  const part = main >= 0 ? main : tag.indexOf(BODY);
  if (part < 0) return;
  const foreign = foreignElements(table, part);
  const plain: number[] = [];
  blockElement.forEach((element, block) => {
    if (element >= part && element < end[part]! && foreign[element] === 0) plain.push(block);
  });
  // Where the model finds nothing, the content is elsewhere.
  if (plain.some((block) => keep[block] === 1)) for (const block of plain) keep[block] = 1;
}

export function isSmallPage(sizes: Float32Array): boolean {
  return sizes.reduce((sum, size) => sum + size, 0) < SMALL_PAGE;
}

/** True when of a small page nothing is kept but of its header, navigation or footer: then it has no main content. */
export function isFrameOnly({ tag, parent, blockElement }: PageTable, keep: Uint8Array, sizes: Float32Array): boolean {
  if (!isSmallPage(sizes)) return false;
  const isFrame = (block: number): boolean => {
    let framed = false;
    for (let element = blockElement[block]!; element >= 0; element = parent[element]!) {
      // The header of an article is a part of it.
      if (CONTENT_TAGS.has(tag[element]!)) return false;
      framed ||= FRAME_TAGS.has(tag[element]!);
    }
    return framed;
  };
  return keep.every((kept, block) => kept === 0 || isFrame(block));
}

/** By element of the part: 1 where it, or what is around it there, says that it is something else. */
function foreignElements({ arrays, tag, flags, meanings, parent, end }: PageTable, part: number): Uint8Array {
  const foreign = arrays.bytes(tag.length);
  for (let element = part + 1; element < end[part]!; element++) {
    const isForeign =
      SIDE_TAGS.has(tag[element]!) || (meanings[element]! & AGAINST) !== 0 || (flags[element]! & IN_HIDDEN) !== 0;
    foreign[element] = isForeign || foreign[parent[element]!] === 1 ? 1 : 0;
  }
  return foreign;
}
