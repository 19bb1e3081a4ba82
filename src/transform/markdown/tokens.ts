// The pieces of a line of markdown, between the tree they come from and the text they become.

/** Inline formats. The last three have no marks in markdown and are written as HTML. */
export type Format = "strong" | "em" | "del" | "sub" | "sup" | "kbd";

export interface OpenMark {
  readonly kind: "open";
  readonly format: Format;
}

// The many are classes: V8 may take literals for long-lived, and text that is cut out of a page keeps all of the page.

export class TextToken {
  /** Whether it is markdown already. */
  readonly kind: "text" | "raw";
  text: string;

  constructor(kind: "text" | "raw", text: string) {
    this.kind = kind;
    this.text = text;
  }
}

export class LinkToken {
  readonly kind: "link" | "linkEnd";
  readonly href: string;
  readonly title: string;

  constructor(kind: "link" | "linkEnd", href: string, title: string) {
    this.kind = kind;
    this.href = href;
    this.title = title;
  }
}

export type Opening = OpenMark | LinkToken;

export type Token =
  | Opening
  | TextToken
  | { readonly kind: "space" | "break" }
  | { readonly kind: "close"; readonly format: Format };

/** How a run is written: hard breaks as they may stand in a paragraph, a table cell, or a heading. */
export type BreakStyle = "paragraph" | "cell" | "line";
