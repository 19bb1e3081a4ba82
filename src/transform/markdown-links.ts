/** The links of a body that is markdown: its own, those of HTML in it, and its bare URLs; not those of code. */

import { decodeHTMLAttribute, decodeHTMLStrict } from "entities";
import { absolute, bareUrl, unique, withoutPunctuation } from "./text-links.ts";

/** In angle brackets, a target may contain spaces. */
const target = /\]\(\s{0,9}(?:<([^<>\n]{1,2000})>|((?:\\[()]|[^\s<>()]|\((?:\\[()]|[^\s<>()]){0,200}\)){1,2000}))/g;
/** What a name in brackets stands for; a name with a caret is that of a footnote. */
const definition = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:\s{1,9}(?:<([^<>\n]{1,2000})>|([^\s<>]{1,2000}))/gm;
const tag = /<([a-z][a-z0-9-]{0,30})(\s[^<>]{0,5000})?>/gi;
const hrefOfTag = /\shref\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;
const escaped = /\\([!-/:-@[-`{-~])/g;

interface Found {
  readonly at: number;
  readonly end: number;
  /** `undefined` for what is no link to a page, a picture for example. */
  readonly url: string | undefined;
}

/** In order, without duplicates; relative ones are resolved against `baseUrl`. */
export function linksOfMarkdown(markdown: string, baseUrl: string | undefined): string[] {
  const text = withoutCode(markdown);
  const targets = [...targetsOf(text, baseUrl), ...linksOfTags(text, baseUrl)].sort((one, other) => one.at - other.at);
  const all = [...targets, ...bareUrlsOutside(targets, text)];
  return unique(all.sort((one, other) => one.at - other.at).map(({ url }) => url));
}

function targetsOf(text: string, baseUrl: string | undefined): Found[] {
  const pictures = endsOfPictures(text);
  return [target, definition].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((found) => {
      const written = found[1] ?? found[2]!;
      const link = decodeHTMLStrict(written.replace(escaped, "$1"));
      const url = pattern === target && pictures.has(found.index) ? undefined : absolute(link, baseUrl);
      return { at: found.index, end: found.index + found[0].length, url };
    }),
  );
}

function linksOfTags(text: string, baseUrl: string | undefined): Found[] {
  return [...text.matchAll(tag)].map((found) => {
    const href = found[1]!.toLowerCase() === "a" ? found[2]?.match(hrefOfTag) : undefined;
    const link = href?.[1] ?? href?.[2] ?? href?.[3];
    const url = link === undefined ? undefined : absolute(decodeHTMLAttribute(link), baseUrl);
    return { at: found.index, end: found.index + found[0].length, url };
  });
}

/** The bare URLs that are not part of `found`, which is in order. */
function bareUrlsOutside(found: readonly Found[], text: string): Found[] {
  const bare: Found[] = [];
  let next = 0;
  for (const match of text.matchAll(bareUrl)) {
    const at = match.index;
    while (next < found.length && found[next]!.end <= at) next++;
    if (next < found.length && found[next]!.at <= at) continue;
    bare.push({ at, end: at + match[0].length, url: decodeHTMLStrict(withoutPunctuation(match[0])) });
  }
  return bare;
}

/** Where the brackets close that an exclamation mark stands before. */
function endsOfPictures(text: string): Set<number> {
  const pictures = new Set<number>();
  const open: boolean[] = [];
  for (const { index, 0: bracket } of text.matchAll(/\\.|!?\[|\]/g)) {
    if (bracket === "]") {
      if (open.pop() === true) pictures.add(index);
    } else if (bracket.endsWith("[")) open.push(bracket === "![");
  }
  return pictures;
}

/** The text with blanks for fenced blocks and for code within lines, so that all else stays where it was. */
function withoutCode(markdown: string): string {
  let fence: string | undefined;
  const outside = markdown.split("\n").map((line) => {
    const mark = line.match(/^ {0,9}(?:`{3,}(?=[^`]*$)|~{3,})/)?.[0].trim();
    if (fence === undefined) {
      fence = mark;
      return mark === undefined ? line : blank(line);
    }
    if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    return blank(line);
  });
  return withoutCodeSpans(outside.join("\n"));
}

/** A span ends with the next mark of the same length in the same paragraph. */
function withoutCodeSpans(text: string): string {
  return text
    .split(/(\n\s*\n)/)
    .map((paragraph) => {
      const marks = [...paragraph.matchAll(/`+/g)].map((found) => ({ at: found.index, length: found[0].length }));
      const ahead = Map.groupBy(marks.toReversed(), ({ length }) => length);
      let outside = "";
      let from = 0;
      for (const { at, length } of marks) {
        const same = ahead.get(length)!;
        while (same.length > 0 && same.at(-1)!.at <= at) same.pop();
        const closing = same.at(-1);
        if (at < from || closing === undefined) continue;
        outside += paragraph.slice(from, at) + blank(paragraph.slice(at, closing.at + length));
        from = closing.at + length;
      }
      return outside + paragraph.slice(from);
    })
    .join("");
}

function blank(text: string): string {
  return " ".repeat(text.length);
}
