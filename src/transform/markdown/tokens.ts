// The tokens of a line of markdown: the form between tree and text.

/** Inline formats. The last three have no marks in markdown and are written as HTML. */
export type Format = "strong" | "em" | "del" | "sub" | "sup" | "kbd";

export interface OpenMark {
  readonly kind: "open";
  readonly format: Format;
}

// The frequent ones are classes: V8 may treat object literals as long-lived, and text cut out of a page keeps the whole
// page alive.

export class TextToken {
  /** `raw` if the text is already markdown. */
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

/** How hard breaks are written: as allowed in a paragraph, in a table cell, or in a single line. */
export type BreakStyle = "paragraph" | "cell" | "line";
