/** Markdown as plain text: without the marks for headings, emphasis, links and tables. */

const marks = /\]\([^()\s]*(?: +"[^"\n]*")?\)|[*_`#>|[\]~!\\]+/g;

export function plainText(markdown: string): string {
  return markdown.replace(marks, " ").replace(/\s+/g, " ").trim();
}
