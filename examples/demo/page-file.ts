/** The file of a page: its markdown with a short front matter. */
import type { Document } from "../../src/index.ts";

export function pageFile(page: Document): string {
  const { title, sourceURL } = page.metadata;
  // JSON strings are YAML strings, so nothing in a title can break out of its line.
  const fields = [`title: ${JSON.stringify(title ?? "")}`, `url: ${JSON.stringify(sourceURL)}`];
  return `---\n${fields.join("\n")}\n---\n\n${page.markdown ?? ""}\n`;
}

/** Words of a page's text. */
export function countWords(markdown: string): number {
  return markdown.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0;
}
