// The links of a page: those of the cleaned tree for the `links` format, and those of the whole page for crawling.

import type { Element } from "domhandler";
import type { ResolveUrl } from "./absolute-urls.ts";
import type { HtmlPage } from "./html/read-html.ts";
import { RouteSections } from "./route-sections.ts";

/** Link targets that lead nowhere outside the page. */
export const notALink = /^(?:javascript|data|vbscript|blob|about):/i;

const noFollow = /(?:^|\s)nofollow(?:\s|$)/i;
const noFollowPage = /(?:^|[\s,])(?:nofollow|none)(?:[\s,]|$)/i;

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

interface DiscoveredLinks {
  /** Absolute http(s) URLs, in order of appearance, without duplicates. */
  readonly urls: string[];
  /** Those to which the page has `nofollow` links only; all of them if the page says so of itself. */
  readonly unendorsed: string[];
}

/**
 * The addresses on the whole page that a crawl may follow.
 *
 * @param resolve makes the absolute form of a reference
 * @param pageUrl the page's own address
 */
export function discoverLinks(page: HtmlPage, resolve: ResolveUrl, pageUrl: string): DiscoveredLinks {
  const sections = new RouteSections(page.document, pageUrl);
  /** By address, whether a link says nothing against following it. */
  const found = new Map<string, boolean>();
  const add = (href: string | undefined, isEndorsed = true) => {
    if (href === undefined) return;
    const target = resolve(href);
    if (target === undefined || !/^https?:/.test(target)) return;
    const url = sections.pageFor(target);
    found.set(url, isEndorsed || found.get(url) === true);
  };
  for (const link of page.listed("link")) {
    const relations = link.attribs["rel"]?.toLowerCase().split(/\s+/) ?? [];
    const isPage = relations.some((relation) => pageRelations.has(relation));
    const { type } = link.attribs;
    if (isPage && (type === undefined || /html/i.test(type))) add(link.attribs["href"]);
  }
  for (const name of ["a", "area"] as const) {
    for (const { attribs } of page.listed(name)) add(attribs["href"], !noFollow.test(attribs["rel"] ?? ""));
  }
  for (const frame of page.listed("frame")) add(frame.attribs["src"]);
  const urls = [...found.keys()];
  const isEndorsing = !page.listed("meta").some(isNoFollowPage);
  return { urls, unendorsed: urls.filter((url) => !isEndorsing || found.get(url) === false) };
}

function isNoFollowPage({ attribs }: Element): boolean {
  return attribs["name"]?.toLowerCase() === "robots" && noFollowPage.test(attribs["content"] ?? "");
}
