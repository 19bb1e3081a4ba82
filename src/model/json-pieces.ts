/** Finds JSON in a text: from each opening bracket to its closing bracket. */

const closing: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const mark = /["\\{}[\],]/g;

/** The outermost bracketed parts of a text, in order; whether they are JSON is not checked. */
export function piecesOf(text: string): string[] {
  return scan(text).pieces;
}

/** Whether a text ends within an open bracket. */
export function endsOpen(text: string): boolean {
  return scan(text).open.length > 0;
}

/**
 * The part within which a text ends, up to the last bracket that was closed in it, and with closing brackets for those
 * that were not; undefined if the text does not end within brackets, or none was closed in them.
 */
export function closeOpen(text: string): string | undefined {
  const { open, start, closedAt } = scan(text);
  if (open.length === 0 || closedAt < start) return undefined;
  const kept = text.slice(start, closedAt);
  return kept + scan(kept).open.reverse().join("");
}

/**
 * A text that ends within brackets, without the item or property in which it ends, unless that is whole.
 *
 * @param isCut the text was to go on, so that nobody knows the last digits of a number at its end
 */
export function withoutUnfinished(text: string, isCut: boolean): string {
  const { open, inText, itemAt } = scan(text);
  const isWhole = !inText && (isCut ? wholeValue : wholeIfEnded).test(text);
  return open.length === 0 || isWhole ? text : text.slice(0, itemAt);
}

const wholeValue = /(?:["}\]\s]|\btrue|\bfalse|\bnull)$/;
const wholeIfEnded = /(?:["}\]\s\d]|\btrue|\bfalse|\bnull)$/;

interface Scanned {
  readonly pieces: string[];
  /** What closes the brackets that are open at the end, the innermost last. */
  readonly open: string[];
  /** The last bracket that was opened outside of others. */
  readonly start: number;
  /** After the last bracket that was closed; 0 if none was. */
  readonly closedAt: number;
  /** The text ends within quotes. */
  readonly inText: boolean;
  /** Before the last comma within brackets, or after the last opening one. */
  readonly itemAt: number;
}

function scan(text: string): Scanned {
  const pieces: string[] = [];
  const open: string[] = [];
  let start = 0;
  let closedAt = 0;
  let itemAt = 0;
  let inText = false;
  mark.lastIndex = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [sign] = found;
    if (sign === "\\") mark.lastIndex++;
    // Outside of brackets, a quote may have no closing one: an apostrophe, an inch sign.
    else if (sign === '"') inText = open.length > 0 && !inText;
    else if (inText) continue;
    else if (sign === ",") itemAt = found.index;
    else if (closing[sign] !== undefined) {
      if (open.length === 0) start = found.index;
      open.push(closing[sign]);
      itemAt = found.index + 1;
    } else if (open.at(-1) === sign) {
      open.pop();
      closedAt = found.index + 1;
      if (open.length === 0) pieces.push(text.slice(start, found.index + 1));
    } else open.length = 0;
  }
  return { pieces, open, start, closedAt, inText, itemAt };
}
