/** What was filled into the fields of a form, or typed over the page, which is not part of the page's text. */

import { at, type Matrix, type RawItem } from "./placed-text.ts";

/** A field, or text that was typed over the page, as pdf.js returns it. */
interface Field {
  /** `Widget` for a field; `FreeText` for text that is always seen, unlike a comment. */
  readonly subtype?: string;
  readonly contentsObj?: { readonly str?: unknown };
  /** `Tx` for text, `Ch` for a choice from a list, `Btn` for a box or one of several. */
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  /** The value of the field when this box is checked, or this one of several is chosen. */
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
  readonly rect?: readonly number[];
  /** The direction of its text, in degrees counterclockwise; that of the page, where the page is turned. */
  readonly rotation?: number;
  readonly annotationFlags?: number;
  readonly multiLine?: boolean;
  readonly password?: boolean;
}

/** Most characters of all fields of a page; many fields may share one long value. */
const mostText = 200_000;
const lineHeight = 1.2;
/** The flags `Hidden` and `NoView`. */
const unseen = 2 | 32;

/** The mark of a box that is checked. */
const checked = "☑";

/**
 * The values of text fields and choices, marks of boxes that are checked, and what was typed over the page, as lines of
 * text in their places; `fontSize` is that of the page's own text.
 */
export function fieldItems(annotations: readonly unknown[], fontSize: number): RawItem[] {
  let room = mostText;
  return annotations.flatMap((annotation) => {
    const field = annotation as Field;
    const { subtype, rect, annotationFlags = 0, password = false, multiLine = subtype === "FreeText" } = field;
    if (rect === undefined || password || (annotationFlags & unseen) !== 0) return [];
    const value = shownValue(field).slice(0, room);
    room -= value.length;
    if (value.trim() === "") return [];
    const lines = value.split(/\r\n?|\n/);
    const { width, height, matrix } = turnedBox(rect, field.rotation);
    // A single line is centred vertically in its field; several lines begin at the top.
    const isOneLine = lines.length === 1 && !multiLine;
    const first = isOneLine ? height / 2 - fontSize * 0.3 : height - fontSize;
    const scale = matrix.slice(0, 4).map((part) => part * fontSize);
    return lines.map((str, index) => ({
      str,
      width: Math.min(width, str.length * fontSize * 0.5),
      transform: [...scale, ...at(matrix, 0, first - index * fontSize * lineHeight)],
      fontName: "form field",
    }));
  });
}

/** The size of a field as its text sees it, and the matrix that places what is in it, from its lower left corner. */
function turnedBox(rect: readonly number[], rotation = 0): { width: number; height: number; matrix: Matrix } {
  const [left, bottom, right, top] = rect as [number, number, number, number];
  const [wide, high] = [right - left, top - bottom];
  switch (rotation) {
    case 90:
      return { width: high, height: wide, matrix: [0, 1, -1, 0, right, bottom] };
    case 180:
      return { width: wide, height: high, matrix: [-1, 0, 0, -1, right, top] };
    case 270:
      return { width: high, height: wide, matrix: [0, -1, 1, 0, left, top] };
    default:
      return { width: wide, height: high, matrix: [1, 0, 0, 1, left, bottom] };
  }
}

function shownValue(field: Field): string {
  const { subtype, contentsObj, fieldType, fieldValue, exportValue, buttonValue, options = [] } = field;
  if (subtype === "FreeText") return typeof contentsObj?.str === "string" ? contentsObj.str : "";
  if (subtype !== "Widget") return "";
  if (fieldType === "Tx") return typeof fieldValue === "string" ? fieldValue : "";
  if (fieldType === "Btn") {
    const isChecked = typeof fieldValue === "string" && [exportValue, buttonValue].includes(fieldValue);
    return isChecked ? checked : "";
  }
  if (fieldType !== "Ch") return "";
  // From the last: of options with one value, the first counts.
  const displayed = new Map(options.toReversed().map((option) => [option.exportValue, option.displayValue]));
  const shown = [fieldValue].flat().map((value) => displayed.get(value) ?? value);
  return shown.filter((value) => typeof value === "string").join(", ");
}
