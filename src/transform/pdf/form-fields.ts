/** What was filled into the fields of a form, or typed over the page, which is not part of the page's text. */

/** A run of text, as pdf.js returns it. */
export interface RawItem {
  readonly str: string;
  readonly width: number;
  /** The length of a vertical run. */
  readonly height?: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

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
    const [left, bottom, right, top] = rect as [number, number, number, number];
    // A single line is centred vertically in its field; several lines begin at the top.
    const isOneLine = lines.length === 1 && !multiLine;
    const first = isOneLine ? (top + bottom) / 2 - fontSize * 0.3 : top - fontSize;
    return lines.map((str, index) => ({
      str,
      width: Math.min(right - left, str.length * fontSize * 0.5),
      transform: [fontSize, 0, 0, fontSize, left, first - index * fontSize * lineHeight],
      fontName: "form field",
    }));
  });
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
  const shown = [fieldValue].flat().map((value) => {
    const option = options.find(({ exportValue }) => exportValue === value);
    return option?.displayValue ?? value;
  });
  return shown.filter((value) => typeof value === "string").join(", ");
}
