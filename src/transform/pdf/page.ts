/** What one PDF page holds, in points from its top left corner, turned so that its text runs from left to right. */

import type { Part } from "./structure.ts";

/** A run of text as the file draws it. */
export interface PdfItem {
  readonly text: string;
  /** The left end of the baseline. */
  readonly x: number;
  /** The baseline, counted downwards. */
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  /** A name that stands for one font within the document. */
  readonly fontName: string;
  /** The address that a click on it opens. */
  readonly url?: string;
  /** The place in the page's `parts` that its tag names; `artifact` for what is tagged as no part of the text. */
  readonly part?: number | "artifact";
  readonly cell?: CellPlace;
}

/** An area that opens an address. */
export interface PdfLink {
  readonly url: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A straight line that is drawn across the page or down. */
export interface PdfRule {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A table whose cells are ruled: where its columns begin and end. */
export interface RuledColumns {
  readonly columns: readonly number[];
}

/** The cell of a ruled table that a run of text stands in; of one over several columns and rows, the first. */
export interface CellPlace {
  readonly table: RuledColumns;
  readonly row: number;
  readonly column: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** Its text runs aslant. */
  readonly isSlanted: boolean;
  readonly items: readonly PdfItem[];
  readonly links: readonly PdfLink[];
  readonly rules: readonly PdfRule[];
  /** What the tags of the page say; empty when it has none. */
  readonly parts: readonly Part[];
}

export interface PdfFont {
  readonly isBold: boolean;
  /** Every character has the same width, as in code. */
  readonly isMonospace: boolean;
}

export type PdfFonts = ReadonlyMap<string, PdfFont>;
