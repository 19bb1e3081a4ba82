// Line ends between letters of Chinese and Japanese, whose lines go on without a space. Browsers show none there either.

const SPACE = 0x20;
/** All characters that are looked for come after it. */
const FIRST = 0x2014;

/** Whether there may be such a letter, or a quotation mark, in the text; most texts have none. */
export const mayGoOn = (text: string): boolean => /[\u2014-\uffff]/.test(text);

/** The text without the line ends, and the spaces around them, between two such letters. */
export function withoutLineEnds(text: string): string {
  let joined = "";
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at)) {
    let start = at;
    while (start > from && isSpace(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isSpace(text.charCodeAt(end))) end++;
    at = end;
    // Few texts have such a letter behind a line end.
    if (start > 0 && text.charCodeAt(end) >= FIRST && goesOn(text.slice(Math.max(0, start - 2), start), text[end]!)) {
      joined += text.slice(from, start);
      from = end;
    }
  }
  return from === 0 ? text : joined + text.slice(from);
}

/** Whether a line that ends like the one text continues with the other one without a space. */
export function goesOn(before: string, after: string): boolean {
  if (after.charCodeAt(0) < FIRST || !(before.charCodeAt(before.length - 1) >= FIRST)) return false;
  const [isBefore, isAfter] = [endsWide.test(before), startsWide.test(after)];
  return isBefore ? isAfter || startsQuote.test(after) : isAfter && endsQuote.test(before);
}

/** Without Korean, which sets spaces; the first halves of characters beyond the first 65,536 are those of Chinese. */
const wide =
  "[\\u2e80-\\u303e\\u3041-\\u3130\\u318f-\\u4dbf\\u4e00-\\ua4cf\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uff9f\\uffe0-\\uffe6]";
const startsWide = new RegExp(`^(?:${wide}|[\\ud840-\\ud8bf])`);
const endsWide = new RegExp(`(?:${wide}|[\\ud840-\\ud8bf][\\udc00-\\udfff])$`);
/** In other languages these are narrow, and stand next to a space. */
const startsQuote = /^[“”‘’…—]/;
const endsQuote = /[“”‘’…—]$/;

/** True for white space that has a line end in it. */
export function isLineEnd(text: string, start: number, step: 1 | -1): boolean {
  for (let at = start; isSpace(text.charCodeAt(at)); at += step) if (text[at] === "\n") return true;
  return false;
}

const isSpace = (code: number): boolean => code === SPACE || (code >= 9 && code <= 13);
