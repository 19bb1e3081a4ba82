/** Reads the entries of RSS and Atom feeds, in whatever words they declare them. */

import { Parser } from "htmlparser2";
import type { Steps } from "../shared/turn.ts";
import { voidElements } from "./html/elements.ts";
import { escapeAttribute } from "./html/write-html.ts";
import { absolute } from "./text-links.ts";

/** A text in HTML, and the URL to which its links are relative, if the feed declares one. */
export interface FeedText {
  readonly html: string;
  readonly base: string | undefined;
}

/** Titles are HTML. */
export interface Entry {
  title?: string;
  link?: string;
  /** The identifier of an RSS entry, which is its address unless declared otherwise. */
  guid?: string;
  date?: string;
  author?: string;
  summary?: FeedText;
  content?: FeedText;
  /** The description that videos and recordings have instead of a text. */
  about?: FeedText;
  /** The address of the file that the entry is about, such as a recording. */
  file?: string;
}

/** The field of an entry for each element; of two elements for one field, the first counts. */
const fields: Readonly<Record<string, keyof Entry>> = {
  title: "title",
  link: "link",
  guid: "guid",
  pubdate: "date",
  published: "date",
  updated: "date",
  issued: "date",
  modified: "date",
  "dc:date": "date",
  author: "author",
  "dc:creator": "author",
  description: "summary",
  subtitle: "summary",
  tagline: "summary",
  summary: "summary",
  "content:encoded": "content",
  content: "content",
  "itunes:summary": "about",
  "media:description": "about",
};

/** Characters that are parsed in one step, approximately. */
const pieceLength = 8192;

/** Feeds are flat. The parser takes time quadratic in the depth, so a feed that nests deeper is not read further. */
export const deepest = 500;

const roots = new Set(["rss", "feed", "rdf:rdf"]);
const entryElements = new Set(["item", "entry"]);

/**
 * The feed itself, and its entries; `undefined` if the root element is not that of a feed.
 *
 * @param url of the feed
 */
export function* parseFeed(xml: string, url: string | undefined): Steps<{ head: Entry; entries: Entry[] } | undefined> {
  const head: Entry = {};
  const entries: Entry[] = [];
  const open: string[] = [];
  /** The `xml:base` that holds within each open element. */
  const bases: (string | undefined)[] = [];
  let isFeed = false;
  let current = head;
  let field: keyof Entry | undefined;
  let fieldDepth = 0;
  /** The text of the field is not HTML, as Atom can declare. */
  let isPlain = false;
  /** It also has lines, and no other structure. */
  let hasLines = false;
  let text: string[] = [];
  let isRead = false;

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = name.toLowerCase();
        open.push(element);
        const base = baseWithin(attributes, bases.at(-1), url);
        bases.push(base);
        if (open.length === 1) isFeed = roots.has(element);
        if (!isFeed || open.length > deepest) {
          isRead = true;
          parser.reset();
        } else if (field !== undefined) {
          // Only the name of an author counts.
          if (field !== "author") text.push(startTag(element, attributes));
          else if (element === "name") text = [];
          else text.push(" ");
        } else if (entryElements.has(element)) {
          current = {};
          entries.push(current);
        } else if (element === "guid" && attributes["isPermaLink"] === "false") {
          // A name and no address.
        } else if (element === "enclosure" && attributes["url"] && isDirectChild(open)) {
          takeFile(current, attributes["url"], attributes["type"], base);
        } else if (fields[element] !== undefined && isDirectChild(open)) {
          field = fields[element];
          fieldDepth = open.length;
          hasLines = element === "media:description" && attributes["type"] !== "html";
          isPlain = hasLines || (open[0] === "feed" && plainTypes.has(attributes["type"] ?? ""));
          text = [];
          if (element === "link" && attributes["href"]) takeAtomLink(current, attributes, base);
        }
      },
      ontext(data) {
        if (field !== undefined) text.push(hasLines ? brokenLines(escaped(data)) : isPlain ? escaped(data) : data);
      },
      onclosetag() {
        const element = open.pop();
        const base = bases.pop();
        if (field !== undefined && open.length < fieldDepth) {
          const value = text.join("").trim();
          if (value !== "") takeField(current, field, value, base);
          field = undefined;
        } else if (field === "author" && element === "name") {
          const value = text.join("").trim();
          if (value !== "") current.author ??= value;
        } else if (field !== undefined && field !== "author") text.push(endTag(element ?? ""));
        else if (element !== undefined && entryElements.has(element)) current = head;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length && !isRead; ) {
    // Cut where a tag may begin, because the parser reads some broken entities differently if they are cut.
    const end = xml.indexOf("<", at + pieceLength);
    const next = end === -1 ? xml.length : end;
    parser.write(xml.slice(at, next));
    at = next;
    yield;
  }
  if (!isRead) parser.end();
  return isFeed ? { head, entries } : undefined;
}

/** Types whose text is plain; `xhtml` may contain elements, but its text is plain. */
const plainTypes: ReadonlySet<string> = new Set(["text", "text/plain", "xhtml", "application/xhtml+xml"]);

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const brokenLines = (text: string): string => text.replaceAll("\n", "<br>");

/** Elements within a text are HTML like its words, which the parser has decoded. */
function startTag(element: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<${localName(element)}${written.join("")}>`;
}

/** In HTML, the end tag of a line break would be another line break. */
function endTag(element: string): string {
  const name = localName(element);
  return voidElements.has(name) ? "" : `</${name}>`;
}

const localName = (element: string): string => element.slice(element.indexOf(":") + 1);

/** Elements, other than entries, that contain fields; those of a video are in a group. */
const holders: ReadonlySet<string> = new Set(["channel", "feed", "media:group"]);

/** A field belongs to the feed or to an entry, not to a picture or a source within. */
function isDirectChild(open: readonly string[]): boolean {
  const parent = open.at(-2);
  return parent !== undefined && (holders.has(parent) || entryElements.has(parent));
}

function takeField(entry: Entry, field: keyof Entry, value: string, base: string | undefined): void {
  if (field === "summary" || field === "content" || field === "about") entry[field] ??= { html: value, base };
  else entry[field] ??= field === "link" ? (absolute(value, base) ?? value) : value;
}

function takeAtomLink(
  entry: Entry,
  { rel = "alternate", href, type }: Record<string, string>,
  base: string | undefined,
): void {
  if (rel === "alternate") entry.link ??= absolute(href!, base) ?? href!;
  else if (rel === "enclosure") takeFile(entry, href!, type, base);
}

/** Pictures are there for looks, or in the text as well. */
function takeFile(entry: Entry, url: string, type = "", base: string | undefined): void {
  if (!type.startsWith("image/")) entry.file ??= absolute(url, base) ?? url;
}

/** In characters. A longer one would be repeated in each address of each entry, which may be as short as a digit. */
const longestBase = 200;

function baseWithin(
  { "xml:base": declared }: Record<string, string>,
  outer: string | undefined,
  url: string | undefined,
): string | undefined {
  const base = declared === undefined ? undefined : absolute(declared, outer ?? url);
  // A name such as `urn:uuid:` is no base for an address.
  return base !== undefined && base.length <= longestBase && /^https?:/.test(base) ? base : outer;
}
