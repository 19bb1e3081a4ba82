/** Reads the runs of text of a page as pdf.js streams them, with what the file's marks say about them. */

import { textOfMark } from "./actual-text.ts";
import type { Styles } from "./font-names.ts";
import { type Matrix, placed, type RawItem } from "./placed-text.ts";
import { type MarkedItem, type StatedText, unseenSign } from "./stated-text.ts";
import type { Structure } from "./structure.ts";

/** More than any real page contains; a page made to exhaust memory is cut here. */
const mostItemsOfPage = 200_000;

/** The beginning or the end of a mark, as pdf.js returns it. */
interface RawMark {
  readonly type: string;
  readonly tag?: string | null;
  readonly id?: string | null;
}

/** A page of pdf.js. */
interface TextPage {
  streamTextContent(options: object): ReadableStream;
}

interface ReadItems {
  readonly items: MarkedItem[];
  readonly styles: Styles;
  readonly isCut: boolean;
}

/**
 * @param partOf the parts of the page according to its tags
 * @param texts what the file states that it draws, by the number in the name of a mark
 */
export async function readItems(
  page: TextPage,
  view: Matrix,
  partOf: Structure["partOf"],
  texts: readonly string[],
): Promise<ReadItems> {
  const items: MarkedItem[] = [];
  const styles: Styles = {};
  const marks: Mark[] = [];
  // Shapes of letters are told apart only after pdf.js has put them in order.
  const options = { includeMarkedContent: partOf.size > 0 || texts.length > 0, disableNormalization: true };
  const stream = page.streamTextContent(options) as ReadableStream<{ items: (RawItem | RawMark)[]; styles: Styles }>;
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return { items, styles, isCut: false };
    Object.assign(styles, value.styles);
    for (const item of value.items) {
      if ("str" in item) items.push({ ...placed(item, view, styles[item.fontName]?.vertical), ...marks.at(-1) });
      else if (item.type === "endMarkedContent") endMark(marks, items);
      else marks.push(markOf(item, marks.at(-1), partOf, texts));
    }
    if (items.length > mostItemsOfPage) return { items, styles, isCut: true };
  }
}

/** What holds for all that is drawn within a mark. */
type Mark = Pick<MarkedItem, "part" | "stated">;

function markOf(
  { tag, id }: RawMark,
  around: Mark | undefined,
  partOf: Structure["partOf"],
  texts: readonly string[],
): Mark {
  const part = tag === "Artifact" ? "artifact" : (partOf.get(id ?? "") ?? around?.part);
  const text = textOfMark(tag ?? "", texts);
  // Of marks within each other, the outermost states the text of all.
  const stated: StatedText | undefined = around?.stated ?? (text === undefined ? undefined : { text });
  return { ...(part === undefined ? {} : { part }), ...(stated === undefined ? {} : { stated }) };
}

function endMark(marks: Mark[], items: MarkedItem[]): void {
  const { stated } = marks.pop() ?? {};
  if (stated === undefined || marks.at(-1)?.stated === stated) return;
  const sign = unseenSign(stated, items.at(-1));
  if (sign !== undefined) items.push(sign);
}
