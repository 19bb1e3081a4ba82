/**
 * Checks the markdown writer against an independent parser: the markdown of each page is rendered by micromark, and the
 * result is converted to markdown again. Counts how often text and markdown stay the same.
 *
 *   node benchmarks/transform/round-trip.ts <folder of page sets> [--show <number>] [set …]
 */
import type { Document } from "domhandler";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { makeUrlsAbsolute, urlResolver } from "../../src/transform/absolute-urls.ts";
import { clean } from "../../src/transform/clean.ts";
import { readHtml } from "../../src/transform/html/read-html.ts";
import { textContent, walkElements } from "../../src/transform/html/walk.ts";
import { toMarkdown } from "../../src/transform/markdown/to-markdown.ts";
import { readCorpus } from "./corpus.ts";

const [path, ...rest] = process.argv.slice(2);
if (path === undefined) throw new Error("Give the folder of the page sets.");
const show = rest[0] === "--show" ? Number(rest.splice(0, 2)[1]) : 0;

const squash = (text: string): string => text.replace(/[\s\u00ad\u200b\u2060\ufeff]+/g, "");

function firstDifference(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const start = Math.max(0, at - 50);
  return `- ${JSON.stringify(before.slice(start, at + 70))}\n    + ${JSON.stringify(after.slice(start, at + 70))}`;
}

/** Removes the differences that micromark makes: it links bare addresses, and encodes brackets in targets. */
function evenOut(root: Document): Document {
  walkElements(root, (element) => {
    const href = element.attribs["href"];
    if (element.name !== "a" || href === undefined) return;
    element.attribs["href"] = href.replaceAll("[", "%5B").replaceAll("]", "%5D");
    const text = textContent(element).trim();
    if ([text, `mailto:${text}`, `http://${text}`].some((address) => squash(address) === href)) element.name = "span";
  });
  return root;
}

const tight = (markdown: string): string => markdown.replace(/\n[> ]*(?=\n)/g, "");

const render = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

const counts = { pages: 0, sameText: 0, sameMarkdown: 0 };
for (const page of readCorpus(path, rest)) {
  const { document } = readHtml(new TextDecoder().decode(page.body));
  clean(document, { rendered: false });
  makeUrlsAbsolute(document, urlResolver(page.url));
  const markdown = toMarkdown(evenOut(document), { pageUrls: [page.url] });
  const rendered = readHtml(render(markdown)).document;
  const again = toMarkdown(evenOut(rendered), { pageUrls: [page.url] });
  const before = squash(textContent(readHtml(render(again)).document));
  const after = squash(textContent(rendered));
  counts.pages++;
  if (before === after) counts.sameText++;
  if (tight(markdown) === tight(again)) counts.sameMarkdown++;
  else if (counts.pages - counts.sameMarkdown <= show) {
    console.log(`${page.id}\n    ${firstDifference(tight(markdown), tight(again))}`);
  }
}
console.log(counts);
