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
