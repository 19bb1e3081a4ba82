/** Percent-encoded text as a reader would write it; unchanged if its escapes are not valid text. */

/** A URL or a part of one, except for what `decodeURI` leaves encoded: the signs that have a meaning in URLs. */
export function decodedUrl(text: string): string {
  return decoded(decodeURI, text);
}

/** A text that is no URL any more once it is decoded: a name, a fragment, words. */
export function decodedText(text: string): string {
  return decoded(decodeURIComponent, text);
}

function decoded(decode: (text: string) => string, text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decode(text);
  } catch {
    return text;
  }
}
