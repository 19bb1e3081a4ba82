/** What the hostile behaviours share: a plain page, and reading numbers in a path. */
import type { TestExchange } from "./test-site-answer.ts";

/** A small page with a heading, a sentence and links. */
export function htmlPage(title: string, links: readonly string[] = []): string {
  const list = links.map(
    (link) => `<li><a href="${link.replaceAll("&", "&amp;")}">${link.replaceAll("&", "&amp;")}</a></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>This page was made for a test. It has enough words to count as a page.</p>
<ul>${list.join("\n")}</ul></main></body></html>`;
}

/** The segment at `index` as a number; `fallback` if it is missing or not a number. */
export function number(exchange: TestExchange, index: number, fallback: number): number {
  const value = Number.parseInt(exchange.segments[index] ?? "", 10);
  return Number.isNaN(value) ? fallback : value;
}
