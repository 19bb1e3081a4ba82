/** The links in text without markup: bare URLs, and the links of markdown. */

import { notALink } from "./links.ts";

const bareUrl = /https?:\/\/[^\s<>"'`\\^{}|]{1,2000}/gi;
/** In angle brackets, a target may contain spaces. */
const markdownTarget =
  /\]\(\s{0,9}(?:<([^<>\n]{1,2000})>|((?:\\[()]|[^\s<>()]|\((?:\\[()]|[^\s<>()]){0,200}\)){1,2000}))/g;
const markdownDefinition = /^ {0,3}\[[^\]\n]{1,200}\]:\s{1,9}(?:<([^<>\n]{1,2000})>|([^\s<>]{1,2000}))/gm;
const escaped = /\\([!-/:-@[-`{-~])/g;

/** The URLs in a text, in order, without duplicates. */
export function linksOfText(text: string): string[] {
  return unique([...text.matchAll(bareUrl)].map((found) => withoutPunctuation(found[0])));
}

/**
 * The targets of the links in a markdown text, and its bare URLs, in order, without duplicates; relative ones are
 * resolved against `baseUrl`.
 */
export function linksOfMarkdown(markdown: string, baseUrl: string | undefined): string[] {
  const targets = [markdownTarget, markdownDefinition].flatMap((pattern) =>
    [...markdown.matchAll(pattern)].map((found) => {
      const target = found[1] ?? found[2]!;
      const url = absolute(target.replace(escaped, "$1"), baseUrl);
      return { at: found.index + found[0].lastIndexOf(target), url };
    }),
  );
  const taken = new Set(targets.map(({ at }) => at));
  const bare = [...markdown.matchAll(bareUrl)]
    .filter((found) => !taken.has(found.index))
    .map((found) => ({ at: found.index, url: withoutPunctuation(found[0]) }));
  return unique([...targets, ...bare].sort((one, other) => one.at - other.at).map(({ url }) => url));
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
function withoutPunctuation(url: string): string {
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
