/** Finds JSON in a text: from each opening bracket to its closing bracket. */

const closing: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const mark = /["\\{}[\]]/g;

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

interface Scanned {
  readonly pieces: string[];
  /** What closes the brackets that are open at the end, the innermost last. */
  readonly open: string[];
  /** The last bracket that was opened outside of others. */
  readonly start: number;
  /** After the last bracket that was closed; 0 if none was. */
  readonly closedAt: number;
}

function scan(text: string): Scanned {
  const pieces: string[] = [];
  const open: string[] = [];
  let start = 0;
  let closedAt = 0;
  let inText = false;
  mark.lastIndex = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [sign] = found;
    if (sign === "\\") mark.lastIndex++;
    // Outside of brackets, a quote may have no closing one: an apostrophe, an inch sign.
    else if (sign === '"') inText = open.length > 0 && !inText;
    else if (inText) continue;
    else if (closing[sign] !== undefined) {
      if (open.length === 0) start = found.index;
      open.push(closing[sign]);
    } else if (open.at(-1) === sign) {
      open.pop();
      closedAt = found.index + 1;
      if (open.length === 0) pieces.push(text.slice(start, found.index + 1));
    } else open.length = 0;
  }
  return { pieces, open, start, closedAt };
}
