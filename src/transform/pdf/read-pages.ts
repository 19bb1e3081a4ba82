/** Reads the pages of a PDF one after the other, and records what could not be read. */

import { setImmediate as turn } from "node:timers/promises";
import { withoutCodeNumbers } from "./code-numbers.ts";
import type { PdfDocument } from "./document.ts";
import type { Fragment } from "./fragments.ts";
import type { FragmentPage } from "./furniture.ts";
import { withoutLineNumbers } from "./line-numbers.ts";
import { withLinks } from "./links.ts";
import { textOf } from "./pieces.ts";
import { fragmentsInCells } from "./ruled-tables.ts";

/** Most runs of text in a whole document; thousands of full pages have fewer. */
const mostItems = 3_000_000;

interface ReadPages {
  /** How many pages were read. */
  count: number;
  readonly pages: FragmentPage[];
  readonly links: string[];
  /** The numbers of pages that could not be read, or only partly. */
  readonly failed: number[];
  readonly empty: number[];
  letters: number;
  meaningless: number;
}

/** Reads up to so many pages of the document, and gives way to the event loop after each. */
export async function readPages(
  document: PdfDocument,
  count: number,
  signal: AbortSignal | undefined,
): Promise<ReadPages> {
  const read: ReadPages = { count: 0, pages: [], links: [], failed: [], empty: [], letters: 0, meaningless: 0 };
  let itemsLeft = mostItems;
  for (let number = 1; number <= count && itemsLeft > 0; number++) {
    signal?.throwIfAborted();
    read.count = number;
    try {
      const { parts, urls, isCut } = await document.page(number);
      if (isCut) read.failed.push(number);
      const lettersBefore = read.letters;
      for (const part of parts) {
        itemsLeft -= part.items.length;
        const { fonts } = document;
        const fragments = fragmentsInCells(withoutCodeNumbers(withLinks(part, fonts), fonts), part.rules, fonts);
        countLetters(read, fragments);
        const { height, isSlanted } = part;
        read.pages.push({ number, height, isSlanted, parts: part.parts, fragments: withoutLineNumbers(fragments) });
      }
      for (const url of urls) read.links.push(url);
      if (read.letters === lettersBefore) read.empty.push(number);
    } catch {
      read.failed.push(number);
    }
    // Parsing a page takes milliseconds, so other work gets its turn in between.
    await turn();
  }
  return read;
}

/** What could not be read, in words. */
export function warningsOf(read: ReadPages, numPages: number): string[] {
  const warnings: string[] = [];
  if (read.count < numPages) warnings.push(`The PDF has ${numPages} pages; only the first ${read.count} were read.`);
  if (read.failed.length > 0) {
    warnings.push(`The PDF is damaged or too large: ${pageList(read.failed)} could not be read in full.`);
  }
  if (read.empty.length === read.count) {
    warnings.push(
      "The PDF holds no text that could be read, only pictures or empty pages; text in pictures is not recognised.",
    );
  } else if (read.empty.length * 2 >= read.count) {
    warnings.push(
      `The PDF holds no text that could be read on ${pageList(read.empty)}; text in pictures is not recognised.`,
    );
  }
  if (read.meaningless > read.letters * 0.15) {
    warnings.push("The PDF does not say which letters its fonts contain; the text may be garbled.");
  }
  return warnings;
}

/** `page 4`, `pages 1, 2 and 7`, but no endless list. */
function pageList(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(", ");
  const more = numbers.length > 10 ? ` and ${numbers.length - 10} more` : "";
  return `${numbers.length === 1 ? "page" : "pages"} ${shown}${more}`;
}

/** Glyphs of unknown meaning appear as private-use, control or replacement characters. */
function countLetters(read: ReadPages, fragments: readonly Fragment[]): void {
  for (const { pieces } of fragments) {
    const text = textOf(pieces);
    read.letters += text.length;
    read.meaningless += text.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
  }
}
