/** The links of a body that is markdown: its own, those of HTML in it, and its bare URLs; not those of code. */

import { decodeAttribute, decodeStrictly } from "../shared/html-references.ts";
import type { Steps } from "../shared/turn.ts";
import { absolute, bareUrl, withoutPunctuation } from "./text-links.ts";

/** At one place in the text. In angle brackets, a target may contain spaces. */
const target = /\]\(\s{0,9}(?:<([^<>\n]{1,2000})>|((?:\\[()]|[^\s<>()]|\((?:\\[()]|[^\s<>()]){0,200}\)){1,2000}))/y;
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

/**
 * In order, without duplicates; relative ones are resolved against `baseUrl`. May be interrupted everywhere, because a
 * text may consist of brackets.
 */
export function* linksOfMarkdown(markdown: string, baseUrl: string | undefined): Steps<string[]> {
  const text = yield* withoutCode(markdown);
  const targets = [...(yield* targetsOf(text, baseUrl)), ...(yield* definitionsOf(text, baseUrl))];
  const linked = [...targets, ...(yield* linksOfTags(text, baseUrl))].sort(byPlace);
  const all = [...linked, ...(yield* bareUrlsOutside(linked, text))].sort(byPlace);
  const urls = new Set<string>();
  for (const { url } of all) {
    if (url !== undefined) urls.add(url);
    yield;
  }
  return [...urls];
}

const byPlace = (one: Found, other: Found): number => one.at - other.at;

function* targetsOf(text: string, baseUrl: string | undefined): Steps<Found[]> {
  const pictures = yield* endsOfPictures(text);
  const targets: Found[] = [];
  // One place at a time: a search for the next match could pass over the whole text.
  for (let at = text.indexOf("]("); at !== -1; at = text.indexOf("](", at)) {
    yield;
    target.lastIndex = at;
    const found = target.exec(text);
    if (found === null) at += 2;
    else {
      const link = linkOf(found, baseUrl);
      targets.push(pictures.has(at) ? { ...link, url: undefined } : link);
      at = link.end;
    }
  }
  return targets;
}

function* definitionsOf(text: string, baseUrl: string | undefined): Steps<Found[]> {
  const definitions: Found[] = [];
  for (const found of text.matchAll(definition)) {
    definitions.push(linkOf(found, baseUrl));
    yield;
  }
  return definitions;
}

function linkOf(found: RegExpExecArray, baseUrl: string | undefined): Found {
  const written = found[1] ?? found[2]!;
  const url = absolute(decodeStrictly(written.replace(escaped, "$1")), baseUrl);
  return { at: found.index, end: found.index + found[0].length, url };
}

function* linksOfTags(text: string, baseUrl: string | undefined): Steps<Found[]> {
  const links: Found[] = [];
  for (const found of text.matchAll(tag)) {
    const href = found[1]!.toLowerCase() === "a" ? found[2]?.match(hrefOfTag) : undefined;
    const link = href?.[1] ?? href?.[2] ?? href?.[3];
    const url = link === undefined ? undefined : absolute(decodeAttribute(link), baseUrl);
    links.push({ at: found.index, end: found.index + found[0].length, url });
    yield;
  }
  return links;
}

/** The bare URLs that are not part of `found`, which is in order. */
function* bareUrlsOutside(found: readonly Found[], text: string): Steps<Found[]> {
  const bare: Found[] = [];
  let next = 0;
  for (const match of text.matchAll(bareUrl)) {
    yield;
    const at = match.index;
    while (next < found.length && found[next]!.end <= at) next++;
    if (next < found.length && found[next]!.at <= at) continue;
    bare.push({ at, end: at + match[0].length, url: decodeStrictly(withoutPunctuation(match[0])) });
  }
  return bare;
}

/** Where the brackets close that an exclamation mark stands before. */
function* endsOfPictures(text: string): Steps<Set<number>> {
  const pictures = new Set<number>();
  const open: boolean[] = [];
  for (const { index, 0: bracket } of text.matchAll(/\\.|!?\[|\]/g)) {
    if (bracket === "]") {
      if (open.pop() === true) pictures.add(index);
    } else if (bracket.endsWith("[")) open.push(bracket === "![");
    yield;
  }
  return pictures;
}

/** The text with blanks for fenced blocks and for code within lines, so that all else stays where it was. */
function* withoutCode(markdown: string): Steps<string> {
  let fence: string | undefined;
  const outside: string[] = [];
  for (const line of markdown.split("\n")) {
    yield;
    const mark = line.match(/^ {0,9}(?:`{3,}(?=[^`]*$)|~{3,})/)?.[0].trim();
    outside.push(mark === undefined && fence === undefined ? line : blank(line));
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  return yield* withoutCodeSpans(outside.join("\n"));
}

function* withoutCodeSpans(text: string): Steps<string> {
  const paragraphs: string[] = [];
  for (const paragraph of text.split(/(\n\s*\n)/)) {
    yield;
    paragraphs.push(paragraph.includes("`") ? yield* withoutSpansOf(paragraph) : paragraph);
  }
  return paragraphs.join("");
}

/** A span ends with the next mark of the same length in the same paragraph. */
function* withoutSpansOf(paragraph: string): Steps<string> {
  const marks: { readonly at: number; readonly length: number }[] = [];
  for (const found of paragraph.matchAll(/`+/g)) {
    marks.push({ at: found.index, length: found[0].length });
    yield;
  }
  /** For each length the places of the marks that are ahead, the next one last. */
  const ahead = new Map<number, number[]>();
  for (const { at, length } of marks.toReversed()) {
    const same = ahead.get(length);
    if (same === undefined) ahead.set(length, [at]);
    else same.push(at);
    yield;
  }
  const pieces: string[] = [];
  let from = 0;
  for (const { at, length } of marks) {
    yield;
    const same = ahead.get(length)!;
    while (same.length > 0 && same.at(-1)! <= at) same.pop();
    const closing = same.at(-1);
    if (at < from || closing === undefined) continue;
    pieces.push(paragraph.slice(from, at), blank(paragraph.slice(at, closing + length)));
    from = closing + length;
  }
  return pieces.join("") + paragraph.slice(from);
}

function blank(text: string): string {
  return " ".repeat(text.length);
}
