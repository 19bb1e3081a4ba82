/** The percent-encoding of a URL part: brought to one spelling, or read. */

const escapeOrPercent = /%(?:[0-9a-fA-F]{2})?/g;
const unreserved = /[\w.~-]/;

/**
 * Escapes of unreserved characters are decoded, all others get capital letters, a lone `%` becomes `%25`.
 * Doing it twice changes nothing.
 *
 * @example normalisePercentEncoding("/%7Euser/a%2fb") === "/~user/a%2Fb"
 */
export function normalisePercentEncoding(part: string): string {
  return part.includes("%") ? part.replace(escapeOrPercent, (found) => canonicalEscape(found, "%25")) : part;
}

/** The same of a text that may hold the beginning of an escape: a lone `%` stays. */
export function normaliseEscapes(part: string): string {
  return part.includes("%") ? part.replace(escapeOrPercent, (found) => canonicalEscape(found, "%")) : part;
}

function canonicalEscape(found: string, percent: string): string {
  if (found === "%") return percent;
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
  return unreserved.test(character) ? character : found.toUpperCase();
}

/** The part as a reader would write it, but for what `decodeURI` leaves alone; as it stands when its escapes make no text. */
export function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
