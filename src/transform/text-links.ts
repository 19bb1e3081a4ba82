/** The links in text without markup: bare URLs. */

import { notALink } from "./links.ts";

export const bareUrl = /https?:\/\/[^\s<>"'`\\^{}|]{1,2000}/gi;

/** The URLs in a text, in order, without duplicates. */
export function linksOfText(text: string): string[] {
  return unique([...text.matchAll(bareUrl)].map((found) => withoutPunctuation(found[0])));
}

/** The absolute form of a link; `undefined` if it is no link to a page. */
export function absolute(link: string, baseUrl: string | undefined): string | undefined {
  const href = link.startsWith("#") ? undefined : URL.parse(link, baseUrl)?.href;
  return href === undefined || notALink.test(href) ? undefined : href;
}

export function unique(links: readonly (string | undefined)[]): string[] {
  return [...new Set(links.filter((link) => link !== undefined))];
}

/** By the bracket that closes. */
const brackets: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
]);

/** Removes punctuation of the surrounding sentence: a full stop, or a bracket that was not opened in the URL. */
export function withoutPunctuation(url: string): string {
  const unopened = new Map<string, number>();
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1]!;
    const opening = brackets.get(last);
    if (opening !== undefined) {
      const left = unopened.get(last) ?? count(url, last) - count(url, opening);
      if (left <= 0) break;
      unopened.set(last, left - 1);
    } else if (!".,;:!?*_~".includes(last)) break;
  }
  return url.slice(0, end);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++;
  return found;
}
