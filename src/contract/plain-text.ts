/** Markdown as it is read: without the marks for headings, emphasis, links and tables. */

const marks = /\]\([^()\s]*(?: +"[^"\n]*")?\)|[*_`#>|[\]~!\\]+/g;

export function plainText(markdown: string): string {
  return markdown.replace(marks, " ").replace(/\s+/g, " ").trim();
}
