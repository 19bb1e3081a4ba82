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

export type Token =
  | Opening
  | { readonly kind: "text"; text: string }
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "space" | "break" }
  | { readonly kind: "close"; readonly format: Format }
  | { readonly kind: "linkEnd"; readonly link: Link };

/** How a run is written: hard breaks as they may stand in a paragraph, a table cell, or a heading. */
export type BreakStyle = "paragraph" | "cell" | "line";
