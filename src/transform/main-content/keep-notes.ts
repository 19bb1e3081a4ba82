/** Keeps the footnotes that kept text refers to: in isolation, at a page's end, they read like what sites add there. */
import { noteFinder, readReference } from "../markdown/note-references.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import { IN_LINK, type PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const LINK = tagId("a");
/** In words; anything longer is part of the text, not a note. */
const LONGEST = 300;

/**
 * Adds to `keep`, in place, the notes after text that links to them, and the notes that these link to.
 *
 * @param sizes the blocks' sizes in words
 * @param url the page's address
 */
export function keepNotes(table: PageTable, keep: Uint8Array, sizes: Float32Array, url: string): void {
  const { firstText, flags, textParent } = table;
  const address = url.replace(/#.*$/s, "");
  const pageUrls = [address, address.slice(address.lastIndexOf("/") + 1)];
  let notes: Notes | undefined;
  // One link may be around all texts of a page.
  let last = -1;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    for (let text = firstText[block]!; text < firstText[block + 1]!; text++) {
      if ((flags[textParent[text]!]! & IN_LINK) === 0) continue;
      const link = linkAround(table, textParent[text]!);
      if (link === last) continue;
      last = link;
      const reference = readReference(table.elements[link]!, pageUrls);
      if (reference === undefined) continue;
      notes ??= new Notes(table, sizes);
      for (const found of notes.take(reference.target, block)) keep[found] = 1;
    }
  }
}

function linkAround({ tag, parent }: PageTable, inside: number): number {
  let element = inside;
  while (tag[element] !== LINK) element = parent[element]!;
  return element;
}

/** Where the notes of a page are, by the names of their places. */
class Notes {
  readonly #table: PageTable;
  readonly #sizes: Float32Array;
  readonly #places = new Map<string, number>();
  /** By element: the first block in it. */
  readonly #first: Int32Array;
  readonly #noteAround = noteFinder();
  readonly #taken = new Set<number>();

  constructor(table: PageTable, sizes: Float32Array) {
    this.#table = table;
    this.#sizes = sizes;
    table.elements.forEach(({ name, attribs }, element) => {
      const place = attribs["id"] ?? (name === "a" ? attribs["name"] : undefined);
      if (place !== undefined && !this.#places.has(place)) this.#places.set(place, element);
    });
    this.#first = firstBlocks(table);
  }

  /** The blocks of a note, if it is after the block that refers to it and not too long; none the second time. */
  take(target: string, from: number): number[] {
    const { elements, end, parent } = this.#table;
    const place = this.#places.get(target);
    if (place === undefined) return [];
    const parts = this.#noteAround(elements[place]!);
    let note = place;
    while (note >= 0 && elements[note] !== parts?.[0]) note = parent[note]!;
    if (parts === undefined || note < 0 || this.#taken.has(note)) return [];
    this.#taken.add(note);
    let last = note;
    for (const part of parts.slice(1)) if (elements[end[last]!] === part) last = end[last]!;
    const blocks: number[] = [];
    let words = 0;
    for (let block = this.#first[note]!; isBlockIn(this.#table, block, note, end[last]); block++) {
      words += this.#sizes[block]!;
      if (block <= from || words > LONGEST) return [];
      blocks.push(block);
    }
    return blocks;
  }
}
