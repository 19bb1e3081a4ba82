/** What each HTML tag means to main-content extraction: a small number per tag and a set of flags. */
import { showsMedia } from "../media-elements.ts";

/** Starts and ends a block of text. */
export const BLOCK = 1;
/** Never contains readable text: not entered, always removed. */
export const DROPPED = 2;
/** Shows something without text. */
export const MEDIA = 4;
/** A table cell: emptied rather than removed, so that columns stay in place. */
export const CELL = 16;

interface TagKind {
  /** Position in the table below; 0 stands for every tag without a row. */
  readonly id: number;
  readonly flags: number;
}

const names = {
  [BLOCK]:
    "html body p h1 h2 h3 h4 h5 h6 li ul ol dl dt dd div section article main aside header footer nav blockquote pre " +
    "table thead tbody tfoot tr caption figure figcaption address details summary form fieldset legend hgroup " +
    "noscript dialog menu center optgroup search slot hr head button label output",
  [BLOCK | CELL]: "td th",
  [DROPPED]:
    "script style template select textarea input link meta title base svg canvas option datalist progress meter " +
    "frameset frame applet param source track area map colgroup col dir",
  [MEDIA]: "img picture video audio iframe embed object",
} satisfies Record<number, string>;

const kinds = new Map<string, TagKind>();
for (const [flags, list] of Object.entries(names)) {
  for (const name of list.split(" ")) kinds.set(name, { id: kinds.size + 1, flags: Number(flags) });
}
for (const name of "a span b strong em i u small code sup sub br time abbr cite q kbd del ins mark math".split(" ")) {
  kinds.set(name, { id: kinds.size + 1, flags: 0 });
}
/** The numbers of tags are below this. */
export const TAG_COUNT: number = kinds.size + 1;
const unknownInline: TagKind = { id: 0, flags: 0 };
/** Custom elements are containers far more often than words. */
const customElement: TagKind = { id: 0, flags: BLOCK };
const customMedium: TagKind = { id: 0, flags: BLOCK | MEDIA };

/** The kind of a tag, by its lower-case name. */
export function tagKind(name: string): TagKind {
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  if (!name.includes("-")) return unknownInline;
  return showsMedia(name) ? customMedium : customElement;
}

/** 1 to 6 for the number of a heading's tag, otherwise 0. */
export function rankOf(id: number): number {
  return id >= FIRST_HEADING && id < FIRST_HEADING + 6 ? id - FIRST_HEADING + 1 : 0;
}

/** The number of a tag that has a row in the table. */
export function tagId(name: string): number {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no such tag: ${name}`);
  return kind.id;
}

/** The six have numbers in a row. */
const FIRST_HEADING: number = tagId("h1");
