/** Finds JSON in a text: from each opening bracket to its closing bracket. */

const closing: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const mark = /["\\{}[\]]/g;

/** The outermost bracketed parts of a text, in order; whether they are JSON is not checked. */
export function piecesOf(text: string): string[] {
  return scan(text).pieces;
}

/** Whether a text ends within an open bracket. */
export function endsOpen(text: string): boolean {
  return scan(text).isOpen;
}

function scan(text: string): { pieces: string[]; isOpen: boolean } {
  const pieces: string[] = [];
  const open: string[] = [];
  let start = 0;
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
      if (open.length === 0) pieces.push(text.slice(start, found.index + 1));
    } else open.length = 0;
  }
  return { pieces, isOpen: open.length > 0 };
}
