/**
 * Pages of page sets as they are, between 30 and 500 KB, each many times. Their own links lead elsewhere, so that all
 * contenders crawl the same pages; links to the pages below in the tree are added.
 */
import { readCorpus } from "../transform/corpus.ts";
import { childrenOf, pagePath } from "./site-graph.ts";

const sets = ["mozilla", "scrapinghub", "trafilatura", "wcxb"];
const different = 180;

/** What would change the address or the encoding of a page, or keep a crawler from following its links. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/<base\s[^>]*>/gi, ""],
  [/<link\s[^>]*canonical[^>]*>/gi, ""],
  [/<meta\s[^>]*(?:robots|refresh|charset)[^>]*>/gi, ""],
  [/(<(?:a|area|link)\s[^>]*?href=)(["']?)(?!https?:|\/\/)/gi, "$1$2https://elsewhere.example/"],
];

/** Each page before and after the place where the links are added. */
function readPages(path: string): readonly (readonly [Buffer, Buffer])[] {
  const all = readCorpus(path, sets).filter(({ body }) => body.length > 30 * 1024 && body.length < 500 * 1024);
  const step = Math.max(1, all.length / different);
  const chosen = all.filter((_page, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  return chosen.map(({ body }) => {
    const html = rules.reduce((text, [what, by]) => text.replaceAll(what, by), new TextDecoder().decode(body));
    const last = html.lastIndexOf("</body>");
    const end = last === -1 ? html.length : last;
    return [Buffer.from(html.slice(0, end)), Buffer.from(html.slice(end))];
  });
}

export function corpusPages(pages: number, path: string): (index: number) => Buffer {
  const bodies = readPages(path);
  return (index) => {
    const [before, after] = bodies[index % bodies.length]!;
    const links = childrenOf(index, pages).map((child) => `<a href="${pagePath(child)}">Page ${child}</a>`);
    return Buffer.concat([before, Buffer.from(`<nav>${links.join(" ")}</nav>`), after]);
  };
}
