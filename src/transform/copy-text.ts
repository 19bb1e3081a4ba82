/**
 * The same text in memory of its own: a piece cut out of a page keeps the whole page in memory for as long as it lives.
 */
export function copyText(text: string): string {
  return ` ${text}`.slice(1);
}
