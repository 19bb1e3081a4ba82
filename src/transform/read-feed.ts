/** Converts RSS and Atom feeds to a readable list of entries. */

import { Parser } from "htmlparser2";
import type { Steps } from "../shared/turn.ts";
import { makeUrlsAbsolute, type ResolveUrl, UrlGrowth, urlResolver } from "./absolute-urls.ts";
import { clean } from "./clean.ts";
import { deepest, type Entry, type FeedText, parseFeed } from "./feed-entries.ts";
import { headingElements } from "./html/elements.ts";
import { readHtmlInSteps } from "./html/read-html.ts";
import { walkElements } from "./html/walk.ts";
import type { MarkdownOptions } from "./markdown/context.ts";
import { escapeInline, escapeLine, escapeLinked, markdownHeading, markdownLink } from "./markdown/plain-to-markdown.ts";
import { Repetition } from "./markdown/repetition.ts";
import { markdownInSteps } from "./markdown/to-markdown.ts";
import { absolute, unique } from "./text-links.ts";

interface Feed {
  readonly markdown: string;
  readonly title: string;
  readonly links: string[];
}

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
  const parsed = yield* parseFeed(xml, baseUrl);
  if (parsed === undefined) return undefined;
  const { head, entries } = parsed;
  const title = textOfHtml(head.title ?? "") || "Feed";
  const blocks = [markdownHeading(1, escapeInline(title))];
  const growth = new UrlGrowth(xml.length);
  const options = { removeBase64Images, repetition: new Repetition(xml.length) };
  const write: TextWriter = (text, page = baseUrl) => {
    const address = text?.base ?? page;
    return markdownOfHtml(text?.html ?? "", address === undefined ? undefined : urlResolver(address, growth), options);
  };
  blocks.push(yield* write(head.summary ?? head.about, addressOf(head, baseUrl)));
  for (const entry of entries) {
    yield;
    blocks.push(...(yield* entryBlocks(entry, baseUrl, write)));
  }
  const links = unique([head, ...entries].flatMap((entry) => [addressOf(entry, baseUrl), fileOf(entry, baseUrl)]));
  return { markdown: blocks.filter((block) => block !== "").join("\n\n"), title, links };
}

function addressOf({ link, guid }: Entry, baseUrl: string | undefined): string | undefined {
  if (link !== undefined) return absolute(link, baseUrl);
  return guid !== undefined && /^https?:/i.test(guid) ? absolute(guid, baseUrl) : undefined;
}

const fileOf = ({ file }: Entry, baseUrl: string | undefined): string | undefined =>
  file === undefined ? undefined : absolute(file, baseUrl);

/** A name by which a reader recognises the file; addresses such as `magnet:` may have neither host nor path. */
function nameOfFile(url: string): string {
  const { host, pathname } = new URL(url);
  return host === "" ? url : host + pathname;
}

/** The markdown of a text, whose links are those of the page at `page` if the feed does not declare otherwise. */
type TextWriter = (text: FeedText | undefined, page: string | undefined) => Steps<string>;

function* entryBlocks(entry: Entry, baseUrl: string | undefined, write: TextWriter): Steps<string[]> {
  const link = addressOf(entry, baseUrl);
  const title = textOfHtml(entry.title ?? "") || link || "Untitled";
  const file = fileOf(entry, baseUrl);
  const facts = [entry.date, entry.author].filter((fact) => fact !== undefined).map((fact) => textOfHtml(fact));
  return [
    markdownHeading(2, link === undefined ? escapeInline(title) : markdownLink(escapeLinked(title), link)),
    escapeLine(facts.join(" · ")),
    yield* write(entry.content ?? entry.summary ?? entry.about, link),
    file === undefined ? "" : markdownLink(escapeLinked(nameOfFile(file)), file),
  ];
}

/** How many levels the headings in texts are lowered: they are below the headings of the feed and of the entry. */
const headingsAbove = 2;

function* markdownOfHtml(html: string, resolve: ResolveUrl | undefined, options: MarkdownOptions): Steps<string> {
  if (html === "") return "";
  const { document } = yield* readHtmlInSteps(html);
  clean(document, { rendered: false });
  if (resolve !== undefined) makeUrlsAbsolute(document, resolve, { sourceSets: false });
  walkElements(document, (element) => {
    if (headingElements.has(element.name)) element.name = `h${Math.min(6, Number(element.name[1]) + headingsAbove)}`;
  });
  return yield* markdownInSteps(document, options);
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
