// The pieces of a line of markdown, between the tree they come from and the text they become.

/** Inline formats. The last three have no marks in markdown and are written as HTML. */
export type Format = "strong" | "em" | "del" | "sub" | "sup" | "kbd";

export interface Link {
  readonly href: string;
  readonly title: string;
}

export type Opening =
  | { readonly kind: "open"; readonly format: Format }
  | { readonly kind: "link"; readonly link: Link };

/** A class, since V8 may take a literal for long-lived, and text that is cut out of a page keeps all of the page. */
export class TextToken {
  /** Whether it is markdown already. */
  readonly kind: "text" | "raw";
  text: string;

  constructor(kind: "text" | "raw", text: string) {
    this.kind = kind;
    this.text = text;
  }
}

export type Token =
  | Opening
  | TextToken
  | { readonly kind: "space" | "break" }
  | { readonly kind: "close"; readonly format: Format }
  | { readonly kind: "linkEnd"; readonly link: Link };

/** How a run is written: hard breaks as they may stand in a paragraph, a table cell, or a heading. */
export type BreakStyle = "paragraph" | "cell" | "line";
