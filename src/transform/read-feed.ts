/** Converts RSS and Atom feeds to a readable list of entries. */

import { Parser } from "htmlparser2";
import type { Steps } from "../shared/turn.ts";
import { makeUrlsAbsolute, type ResolveUrl, UrlGrowth, urlResolver } from "./absolute-urls.ts";
import { clean } from "./clean.ts";
import { headingElements } from "./html/elements.ts";
import { readHtmlInSteps } from "./html/read-html.ts";
import { walkElements } from "./html/walk.ts";
import { escapeInline, escapeLine, markdownLink } from "./markdown/plain-to-markdown.ts";
import { markdownInSteps } from "./markdown/to-markdown.ts";
import { absolute, unique } from "./text-links.ts";

interface Feed {
  readonly markdown: string;
  readonly title: string;
  readonly links: string[];
}

/** Titles and texts are HTML. */
interface Entry {
  title?: string;
  link?: string;
  /** The identifier of an RSS entry, which is its address unless declared otherwise. */
  guid?: string;
  date?: string;
  author?: string;
  summary?: string;
  content?: string;
  /** The description that videos and recordings have instead of a text. */
  about?: string;
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
const deepest = 500;

const roots = new Set(["rss", "feed", "rdf:rdf"]);
const entryElements = new Set(["item", "entry"]);

/**
 * The feed in an XML text; `undefined` if the root element is not that of a feed.
 *
 * @param removeBase64Images replaces pictures embedded as data with a placeholder
 */
export function* readFeed(
  xml: string,
  baseUrl: string | undefined,
  removeBase64Images: boolean,
): Steps<Feed | undefined> {
  const parsed = yield* parseFeed(xml);
  if (parsed === undefined) return undefined;
  const { head, entries } = parsed;
  const title = textOfHtml(head.title ?? "") || "Feed";
  const blocks = [`# ${escapeInline(title)}`];
  const growth = new UrlGrowth();
  const write: TextWriter = (html, address = baseUrl) =>
    markdownOfHtml(html, address === undefined ? undefined : urlResolver(address, growth), removeBase64Images);
  blocks.push(yield* write(head.summary ?? head.about ?? "", addressOf(head, baseUrl)));
  for (const entry of entries) {
    yield;
    blocks.push(...(yield* entryBlocks(entry, baseUrl, write)));
  }
  const links = unique([head, ...entries].map((entry) => addressOf(entry, baseUrl)));
  return { markdown: blocks.filter((block) => block !== "").join("\n\n"), title, links };
}

function* parseFeed(xml: string): Steps<{ head: Entry; entries: Entry[] } | undefined> {
  const head: Entry = {};
  const entries: Entry[] = [];
  const open: string[] = [];
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
        if (open.length === 1) isFeed = roots.has(element);
        if (!isFeed || open.length > deepest) {
          isRead = true;
          parser.reset();
        } else if (field !== undefined) {
          // Only the name of an author counts.
          if (field !== "author") text.push(`<${localName(element)}>`);
          else if (element === "name") text = [];
          else text.push(" ");
        } else if (entryElements.has(element)) {
          current = {};
          entries.push(current);
        } else if (element === "guid" && attributes["isPermaLink"] === "false") {
          // A name and no address.
        } else if (fields[element] !== undefined && isDirectChild(open)) {
          field = fields[element];
          fieldDepth = open.length;
          hasLines = element === "media:description" && attributes["type"] !== "html";
          isPlain = hasLines || (open[0] === "feed" && plainTypes.has(attributes["type"] ?? ""));
          text = [];
          if (element === "link" && attributes["href"]) takeAtomLink(current, attributes);
        }
      },
      ontext(data) {
        if (field !== undefined) text.push(hasLines ? brokenLines(escaped(data)) : isPlain ? escaped(data) : data);
      },
      onclosetag() {
        const element = open.pop();
        if (field !== undefined && open.length < fieldDepth) {
          const value = text.join("").trim();
          if (value !== "") current[field] ??= value;
          field = undefined;
        } else if (field === "author" && element === "name") {
          const value = text.join("").trim();
          if (value !== "") current.author ??= value;
        } else if (field !== undefined && field !== "author") text.push(`</${localName(element ?? "")}>`);
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

const localName = (element: string): string => element.slice(element.indexOf(":") + 1);

/** Elements, other than entries, that contain fields; those of a video are in a group. */
const holders: ReadonlySet<string> = new Set(["channel", "feed", "media:group"]);

/** A field belongs to the feed or to an entry, not to a picture or a source within. */
function isDirectChild(open: readonly string[]): boolean {
  const parent = open.at(-2);
  return parent !== undefined && (holders.has(parent) || entryElements.has(parent));
}

function takeAtomLink(entry: Entry, { rel = "alternate", href }: Record<string, string>): void {
  if (rel === "alternate") entry.link ??= href!;
}

function addressOf({ link, guid }: Entry, baseUrl: string | undefined): string | undefined {
  if (link !== undefined) return absolute(link, baseUrl);
  return guid !== undefined && /^https?:/i.test(guid) ? absolute(guid, baseUrl) : undefined;
}

/** The markdown of a text, whose links are those of the page at `address`. */
type TextWriter = (html: string, address: string | undefined) => Steps<string>;

function* entryBlocks(entry: Entry, baseUrl: string | undefined, write: TextWriter): Steps<string[]> {
  const link = addressOf(entry, baseUrl);
  const title = escapeInline(textOfHtml(entry.title ?? "") || link || "Untitled");
  const facts = [entry.date, entry.author].filter((fact) => fact !== undefined).map((fact) => textOfHtml(fact));
  return [
    `## ${link === undefined ? title : markdownLink(title, link)}`,
    escapeLine(facts.join(" · ")),
    yield* write(entry.content ?? entry.summary ?? entry.about ?? "", link),
  ];
}

/** How many levels the headings in texts are lowered: they are below the headings of the feed and of the entry. */
const headingsAbove = 2;

function* markdownOfHtml(html: string, resolve: ResolveUrl | undefined, removeBase64Images: boolean): Steps<string> {
  if (html === "") return "";
  const { document } = yield* readHtmlInSteps(html);
  clean(document, { rendered: false });
  if (resolve !== undefined) makeUrlsAbsolute(document, resolve, { sourceSets: false });
  walkElements(document, (element) => {
    if (headingElements.has(element.name)) element.name = `h${Math.min(6, Number(element.name[1]) + headingsAbove)}`;
  });
  return yield* markdownInSteps(document, { removeBase64Images });
}

const blockElements = new Set(
  "p div br li ul ol h1 h2 h3 h4 h5 h6 blockquote pre tr table section article figure".split(" "),
);
const unseenElements = new Set(["script", "style"]);

/** The text that a piece of HTML shows, in one line. */
function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, " ").trim();
  const text: string[] = [];
  let unseen = 0;
  let depth = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (++depth > deepest) return parser.reset();
      if (unseenElements.has(name)) unseen++;
      if (blockElements.has(name)) text.push(" ");
    },
    ontext(data) {
      if (unseen === 0) text.push(data);
    },
    onclosetag(name) {
      depth--;
      if (unseenElements.has(name)) unseen--;
      if (blockElements.has(name)) text.push(" ");
    },
  });
  parser.end(html);
  return text.join("").replace(/\s+/g, " ").trim();
}
