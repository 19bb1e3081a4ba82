// The links of a page: those of the cleaned tree for the `links` format, and those of the whole page for crawling.

import type { Element } from "domhandler";
import type { ResolveUrl } from "./absolute-urls.ts";
import type { HtmlPage } from "./html/read-html.ts";

/** Link targets that lead nowhere outside the page. */
export const notALink = /^(?:javascript|data|vbscript|blob|about):/i;

/** Link elements whose target is another page of the site. */
const pageRelations: ReadonlySet<string> = new Set(["next", "prev", "canonical", "alternate"]);

/**
 * The targets of links whose addresses are already absolute, in order of appearance, without duplicates. `mailto:` and
 * `tel:` are links; `javascript:` and `data:` are not.
 */
export function readLinks(links: readonly Element[]): string[] {
  const targets = new Set<string>();
  for (const { name, attribs } of links) {
    const href = attribs[name === "frame" ? "src" : "href"];
    if (href && !notALink.test(href)) targets.add(href);
  }
  return [...targets];
}

/**
 * The addresses on the whole page that a crawl may follow, as absolute http(s) URLs, in order of appearance, without
 * duplicates. Links marked `nofollow` are included; whether to honour that is up to the frontier.
 *
 * @param resolve makes the absolute form of a reference
 */
export function discoverLinks(page: HtmlPage, resolve: ResolveUrl): string[] {
  const found = new Set<string>();
  const add = (href: string | undefined) => {
    if (href === undefined) return;
    const url = resolve(href);
    if (url !== undefined && /^https?:/.test(url)) found.add(url);
  };
  for (const link of page.listed("link")) {
    const relations = link.attribs["rel"]?.toLowerCase().split(/\s+/) ?? [];
    const isPage = relations.some((relation) => pageRelations.has(relation));
    const { type } = link.attribs;
    if (isPage && (type === undefined || /html/i.test(type))) add(link.attribs["href"]);
  }
  for (const anchor of page.listed("a")) add(anchor.attribs["href"]);
  for (const area of page.listed("area")) add(area.attribs["href"]);
  for (const frame of page.listed("frame")) add(frame.attribs["src"]);
  return [...found];
}
