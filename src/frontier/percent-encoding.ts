/** Normalises the percent-encoding of a part of a URL. */

const escapeOrPercent = /%(?:[0-9a-fA-F]{2})?/g;
const unreserved = /[\w.~-]/;

/**
 * Escapes of unreserved characters are decoded, all others get capital letters, a lone `%` becomes `%25`.
 * Doing it twice changes nothing.
 *
 * @example
 * normalisePercentEncoding("/%7Euser/a%2fb"); // "/~user/a%2Fb"
 */
export function normalisePercentEncoding(part: string): string {
  return part.includes("%") ? part.replace(escapeOrPercent, (found) => canonicalEscape(found, "%25")) : part;
}

/** The same for a text that may contain the beginning of an escape: a lone `%` is kept. */
export function normaliseEscapes(part: string): string {
  return part.includes("%") ? part.replace(escapeOrPercent, (found) => canonicalEscape(found, "%")) : part;
}

function canonicalEscape(found: string, percent: string): string {
  if (found === "%") return percent;
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
  return unreserved.test(character) ? character : found.toUpperCase();
}
