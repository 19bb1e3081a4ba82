/** Markdown as plain text: without the marks for headings, emphasis, links and tables, and without addresses of links. */

/** One after the other: an escaped sign, the end of a link or picture, and all other marks. */
const marks = new RegExp(
  [
    /\\([!-/:-@[-`{-~])/,
    // An address may contain pairs of parentheses, and be followed by a title.
    /\]\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?: +"(?:[^"\\\n]|\\.)*")?\)/,
    /!?\[|\]|[*`|]|~~/,
    // Within a word it is no mark: `node_modules`.
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
    /(?<!\S)(?:#{1,6}|>|:?-{3,}:?)(?!\S)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

export function plainText(markdown: string): string {
  return markdown
    .replace(marks, (_, escaped?: string) => escaped ?? " ")
    .replace(/\s+/g, " ")
    .trim();
}
