/** Replaces pictures that are embedded as data. */

/** Replaces the address of such a picture. */
export const removedImage = "Base64-Image-Removed";

/** The places of a picture's address in markdown: inline, in a definition, in an HTML element. */
const addresses: readonly (readonly [RegExp, string])[] = [
  [/(?<=!\[(?:(?!\]\()[^\n]){0,500}\]\(\s{0,9})<?data:image\/[^\s)>]*>?/gi, `<${removedImage}>`],
  [/(?<=^ {0,3}\[[^\]\n]{1,500}\]:[ \t]{0,9})<?data:image\/[^\s>]*>?/gim, `<${removedImage}>`],
  [/(?<=<img\s[^>]{0,300}src\s{0,9}=\s{0,9}["']?)data:image\/[^\s"'>]*/gi, removedImage],
];

/** Markdown from a page that is itself markdown, without the data of its pictures. Their alternative text is kept. */
export function withoutEmbeddedImages(markdown: string): string {
  if (!/data:image\//i.test(markdown)) return markdown;
  return addresses.reduce((text, [address, placeholder]) => text.replace(address, placeholder), markdown);
}

/** In characters; a longer one is a picture. */
const LONGEST_BLANK = 1000;
/** A GIF of one pixel. */
const pixel = /^\s*data:image\/gif;base64,R0lGODlhAQABA/i;
const drawing = /^\s*data:image\/svg\+xml(;base64)?[^,]{0,60},(.*)$/is;
/** The start of an element that draws more than a box. */
const drawn = /(?:<|%3c)(?!\/|%2f|[?!]|svg|rect|\/?title)/i;

/**
 * True for the address of a picture that shows nothing, which holds the place until a script sets the real one or
 * keeps the proportions of its frame.
 */
export function isBlankImage(address: string): boolean {
  if (address.length > LONGEST_BLANK) return false;
  if (pixel.test(address)) return true;
  const [, encoded, data] = drawing.exec(address) ?? [];
  if (data === undefined) return false;
  return !drawn.test(encoded === undefined ? data : Buffer.from(data, "base64").toString("latin1"));
}
