/**
 * The content of one PDF page, in points from its top left corner, rotated so that its text runs from left to right.
 */

import type { Part } from "./structure.ts";

/** A run of text, as the file draws it. */
export interface PdfItem {
  readonly text: string;
  /** The left end of the baseline. */
  readonly x: number;
  /** The baseline, counted downwards. */
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  /** A name that identifies a font within the document. */
  readonly fontName: string;
  /** The address that a click on it opens. */
  readonly url?: string;
  /** The index in the page's `parts` according to its tag; `artifact` if it is tagged as not being part of the text. */
  readonly part?: number | "artifact";
  readonly cell?: CellPlace;
  /** Its text is what the file states in place of what it draws. */
  readonly isStated?: true;
}

/** An area that opens an address. */
export interface PdfLink {
  readonly url: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A horizontal or vertical line on the page. */
export interface PdfRule {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The columns of a table with ruled cells: where they begin and end. */
export interface RuledColumns {
  readonly columns: readonly number[];
}

/** The cell of a ruled table that a run of text is in; for a spanning cell, its first column and row. */
export interface CellPlace {
  readonly table: RuledColumns;
  readonly row: number;
  readonly column: number;
}

export interface PdfPage {
  readonly height: number;
  /** Its text is slanted. */
  readonly isSlanted: boolean;
  readonly items: readonly PdfItem[];
  readonly links: readonly PdfLink[];
  readonly rules: readonly PdfRule[];
  /** The parts according to the page's tags; empty if it has none. */
  readonly parts: readonly Part[];
}

export interface PdfFont {
  readonly isBold: boolean;
  /** Every character has the same width, as in code. */
  readonly isMonospace: boolean;
}

export type PdfFonts = ReadonlyMap<string, PdfFont>;
