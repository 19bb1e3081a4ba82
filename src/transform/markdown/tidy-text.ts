// White space as a reader of text sees it.

const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
const whiteSpace = /\s+/g;

const SPACE = 0x20;

/** The text with one space for each run of white space, and without invisible characters. */
export function tidy(text: string): string {
  let tidied = "";
  /** The text from here on has not been copied yet. */
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > SPACE) {
      if (isLetterOrSign(code)) continue;
      // Few texts contain one of the many other spaces, or an invisible character.
      return text.replace(invisible, "").replace(whiteSpace, " ");
    }
    if (!isSpace(code)) continue;
    let end = at + 1;
    while (end < text.length && isSpace(text.charCodeAt(end))) end++;
    if (end - at > 1 || code !== SPACE) {
      tidied += `${text.slice(from, at)} `;
      from = end;
    }
    at = end - 1;
  }
  return from === 0 ? text : tidied + text.slice(from);
}

/** Not exact: false for all characters in the blocks that contain other spaces. */
const isLetterOrSign = (code: number): boolean =>
  code < 0xa0 || (code > 0xad && code < 0x1680) || (code > 0x206f && code < 0x3000) || (code > 0x3000 && code < 0xfeff);

const isSpace = (code: number): boolean => code === SPACE || (code >= 9 && code <= 13);
