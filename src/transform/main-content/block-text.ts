import type { PageTable } from "./page-table.ts";

/** The text of a block as it is in the source: all, or its text nodes up to the one that reaches beyond `limit`. */
export function blockText({ firstText, texts }: PageTable, block: number, limit = Number.POSITIVE_INFINITY): string {
  let text = "";
  for (let index = firstText[block]!; index < firstText[block + 1]! && text.length <= limit; index++) {
    text += texts[index]!.data;
  }
  return text;
}

/** The same in one line, without the indentation of the source. */
export function blockLine(table: PageTable, block: number): string {
  const text = blockText(table, block).trim();
  return indented.test(text) ? text.replace(/\s+/g, " ") : text;
}

/** Only the letters and digits of a text, in lower case: two texts may say the same with other signs between them. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Most texts are not: to look takes a fraction of what it takes to write them again. */
const indented = /\s\s|[^\S ]/;
