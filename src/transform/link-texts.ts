// The texts of a page's links, by target.

import type { ChildNode, Element } from "domhandler";
import type { ResolveUrl } from "./absolute-urls.ts";
import type { HtmlPage } from "./html/read-html.ts";
import { following, isElement } from "./html/walk.ts";

/** Most characters kept for one address, over all its links. */
const maxLength = 200;
/** Most nodes examined in one link: a link may contain half a page. */
const maxNodes = 200;

const notRead: ReadonlySet<string> = new Set(["script", "style", "template", "noscript", "svg"]);

/**
 * For each of the URLs, in order, the texts of the page's links to it: text, alternative texts of pictures, title.
 * Empty if there are none.
 *
 * @param resolve makes the absolute form of a reference
 */
export function readLinkTexts(page: HtmlPage, resolve: ResolveUrl, urls: readonly string[]): string[] {
  const texts = new Map(urls.map((url) => [url, ""]));
  for (const link of [...page.listed("a"), ...page.listed("area")]) {
    const { href } = link.attribs;
    const url = href === undefined ? undefined : resolve(href);
    const known = url === undefined ? undefined : texts.get(url);
    if (url === undefined || known === undefined || known.length >= maxLength) continue;
    const said = textOf(link);
    // A teaser links to a page from a picture, a headline and a "read more".
    if (!known.includes(said)) texts.set(url, `${known} ${said}`.trim().slice(0, maxLength));
  }
  return [...texts.values()];
}

function textOf(link: Element): string {
  const { title = "", alt = "", "aria-label": label = "" } = link.attribs;
  let text = `${label} ${alt}`;
  let node: ChildNode | null = link.children[0] ?? null;
  for (let looked = 0; node !== null && looked < maxNodes && text.length < maxLength; looked++) {
    if (node.type === "text") text += ` ${node.data}`;
    else if (isElement(node) && node.name === "img") text += ` ${node.attribs["alt"] ?? ""}`;
    node = following(node, link, !(isElement(node) && notRead.has(node.name)));
  }
  const said = text.slice(0, maxLength).replace(/\s+/g, " ").trim();
  return said.includes(title) ? said : `${said} ${title.slice(0, maxLength)}`.trim();
}
