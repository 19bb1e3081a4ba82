// The links of a page: those of the cleaned tree for the `links` format, and those of the whole page for crawling.

import type { Document } from "domhandler";
import type { ResolveUrl } from "./absolute-urls.ts";
import type { HtmlPage } from "./read-html.ts";
import { walkElements } from "./walk.ts";

/** Link targets that lead nowhere outside the page. */
const notALink = /^(?:javascript|data|vbscript|blob|about):/i;

/** Link elements whose target is another page of the site. */
const pageRelations: ReadonlySet<string> = new Set(["next", "prev", "canonical", "alternate"]);

/**
 * Targets of the links in a cleaned tree whose addresses are absolute already: in order of appearance, each once.
 * `mailto:` and `tel:` are links; `javascript:` and `data:` are not.
 */
export function readLinks(document: Document): string[] {
  const links = new Set<string>();
  walkElements(document, ({ name, attribs }) => {
    if (name !== "a" && name !== "area") return;
    const href = attribs["href"];
    if (href && !notALink.test(href)) links.add(href);
  });
  return [...links];
}

/**
 * The addresses of the whole page that a crawl may follow, as absolute http(s) URLs: in order of appearance, each
 * once. Links marked `nofollow` are among them; whether to honour that is the frontier's decision.
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
  return [...found];
}
