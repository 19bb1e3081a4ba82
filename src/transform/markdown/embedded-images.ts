/** Pictures that are in a text as data. */

/** Stands for their address. */
export const removedImage = "Base64-Image-Removed";

/** Where markdown has the address of a picture: in place, in a definition, in an HTML element. */
const addresses: readonly (readonly [RegExp, string])[] = [
  [/(?<=!\[(?:(?!\]\()[^\n]){0,500}\]\(\s{0,9})<?data:image\/[^\s)>]*>?/gi, `<${removedImage}>`],
  [/(?<=^ {0,3}\[[^\]\n]{1,500}\]:[ \t]{0,9})<?data:image\/[^\s>]*>?/gim, `<${removedImage}>`],
  [/(?<=<img\s[^>]{0,300}src\s{0,9}=\s{0,9}["']?)data:image\/[^\s"'>]*/gi, removedImage],
];

/** Markdown that came as such, without the data of its pictures. Their alternative text stays. */
export function withoutEmbeddedImages(markdown: string): string {
  if (!/data:image\//i.test(markdown)) return markdown;
  return addresses.reduce((text, [address, placeholder]) => text.replace(address, placeholder), markdown);
}
