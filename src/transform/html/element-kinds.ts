// What an element's name means while a page is parsed: determined once for each name, not for each element.

import type { Element } from "domhandler";
import { emptyList } from "../empty-list.ts";
import {
  closesParagraph,
  endsForeign,
  formattingElements,
  headElements,
  headingElements,
  htmlInForeign,
  type ImpliedEnds,
  impliedEnds,
  rowParents,
  scopeBarriers,
  tableParts,
  voidElements,
} from "./elements.ts";
import { textReadings } from "./text-elements.ts";

export const VOID = 1;
export const HOLDS_TEXT = 1 << 1;
export const CLOSES_PARAGRAPH = 1 << 2;
export const HEADING = 1 << 3;
export const FORMATTING = 1 << 4;
export const SCOPE_BARRIER = 1 << 5;
export const TABLE_PART = 1 << 6;
export const HTML_IN_FOREIGN = 1 << 7;
export const IN_HEAD = 1 << 8;
/** `html`, `head` and `body`. */
export const STRUCTURE = 1 << 9;
/** `svg` and `math`. */
export const FOREIGN = 1 << 10;
/** Blocks, and what else is never directly in one of these two. */
export const ENDS_FOREIGN = 1 << 11;
export const ROW_PARENT = 1 << 12;
/** `td` and `th`. */
export const CELL = 1 << 13;

const traits = new Map<string, number>();
for (const [bit, names] of [
  [VOID, voidElements],
  [HOLDS_TEXT, textReadings.keys()],
  [CLOSES_PARAGRAPH, closesParagraph],
  [HEADING, headingElements],
  [FORMATTING, formattingElements],
  [SCOPE_BARRIER, scopeBarriers],
  [TABLE_PART, tableParts],
  [HTML_IN_FOREIGN, htmlInForeign],
  [IN_HEAD, headElements],
  [STRUCTURE, ["html", "head", "body"]],
  [FOREIGN, ["svg", "math"]],
  [ROW_PARENT, rowParents],
  [CELL, ["td", "th"]],
  [ENDS_FOREIGN, [...closesParagraph, ...endsForeign]],
] as const) {
  for (const name of names) traits.set(name, (traits.get(name) ?? 0) | bit);
}

/**
 * All elements with one name on one page. A class: V8 may take objects of a literal for long-lived, and their page with
 * them (see "Time and memory" in `docs/architecture.md`).
 */
export class ElementKind {
  readonly name: string;
  /** The bits above. */
  readonly traits: number;
  readonly impliedEnds: ImpliedEnds | undefined;
  /** How many of them are open. */
  open = 0;
  /** The elements so far, if they are to be listed. */
  readonly listed: Element[] | undefined;

  constructor(name: string, listed: Element[] | undefined) {
    this.name = name;
    this.traits = traits.get(name) ?? 0;
    this.impliedEnds = impliedEnds.get(name);
    this.listed = listed;
  }
}

export class ElementKinds {
  #kinds = new Map<string, ElementKind>();

  /** @param listed the names whose elements are to be listed */
  constructor(listed: readonly string[]) {
    for (const name of listed) this.#add(name, emptyList());
  }

  of(name: string): ElementKind {
    return this.#kinds.get(name) ?? this.#add(name, undefined);
  }

  #add(name: string, listed: Element[] | undefined): ElementKind {
    const kind = new ElementKind(name, listed);
    this.#kinds.set(name, kind);
    return kind;
  }
}
