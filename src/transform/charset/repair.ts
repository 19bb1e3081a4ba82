// Repairs Chinese pages that a server has misread as Western text and converted to UTF-8.

/** Only a text of Latin letters with this many accented ones in a row is examined. */
const SUSPECT = /[\u00a1-\u00fe]{8}/;
const BEYOND_LATIN = /[\u0100-\uffff]/;
/** Share of the accented letters that must be pairs of frequent Chinese characters. */
const LEAST_SHARE = 0.75;
/** Fewer accented letters than this are no evidence. */
const LEAST_LETTERS = 40;

/**
 * The text itself, or what it was before GB bytes were taken for Latin-1. Such a text holds no character above
 * U+00FF, and its accented letters come in pairs that are frequent Chinese characters; no Western language has that.
 */
export function repairEncoding(text: string): string {
  if (BEYOND_LATIN.test(text) || !SUSPECT.test(text)) return text;
  let accented = 0;
  let paired = 0;
  for (let index = 0; index < text.length; index++) {
    const lead = text.charCodeAt(index);
    if (lead < 0xa1 || lead === 0xff) continue;
    const trail = text.charCodeAt(index + 1);
    if (trail >= 0xa1 && trail < 0xff) {
      accented += 2;
      // The first level of GB 2312, and its punctuation.
      if ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3) paired += 2;
      index++;
    } else accented++;
  }
  if (accented < LEAST_LETTERS || paired < accented * LEAST_SHARE) return text;
  return new TextDecoder("gb18030").decode(Buffer.from(text, "latin1"));
}
