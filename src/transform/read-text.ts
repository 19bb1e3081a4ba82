/** Converts bodies that are neither HTML nor PDF to markdown: plain text, markdown, JSON, XML and feeds. */

import { decodeXml } from "../shared/html-references.ts";
import { runSteps } from "../shared/turn.ts";
import { withoutEmbeddedImages } from "./markdown/embedded-images.ts";
import { escapeAddresses, fenced } from "./markdown/plain-to-markdown.ts";
import { linksOfMarkdown } from "./markdown-links.ts";
import { linksOfText, unique } from "./text-links.ts";

interface TextBody {
  readonly markdown: string;
  readonly title?: string;
  /** Absolute URLs in order of appearance, without duplicates. */
  readonly links: string[];
}

interface TextOptions {
  /** The URL to which relative links are relative. */
  readonly baseUrl?: string | undefined;
  /** Replace pictures embedded as data with a placeholder. @default true */
  readonly removeBase64Images?: boolean | undefined;
  /** The language of a plain text that is code or data, by its media type. */
  readonly language?: string | undefined;
  /** Ends the reading of what takes long. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The markdown of a body.
 *
 * JSON and XML are put unchanged into a fenced block, feeds become a list of their entries with their texts, and
 * markdown is passed through. Plain text keeps its lines: as they are if it is prose, in a fenced block if it has a
 * language, or if its columns or indentation matter.
 *
 * @example
 * (await readText('{"a":1}', "json")).markdown; // "```json\n{\"a\":1}\n```"
 */
export async function readText(
  text: string,
  kind: "text" | "markdown" | "json" | "xml",
  { baseUrl, removeBase64Images = true, language, signal }: TextOptions = {},
): Promise<TextBody> {
  if (kind === "json") return { markdown: fenced(text, "json"), links: [] };
  const body = text.replace(/\r\n?/g, "\n");
  const asMarkdown = removeBase64Images ? withoutEmbeddedImages : (markdown: string) => markdown;
  switch (kind) {
    case "xml": {
      // Loaded by the first feed.
      const { readFeed } = await import("./read-feed.ts");
      const feed = await runSteps(readFeed(body, baseUrl, removeBase64Images), signal);
      return feed ?? { markdown: fenced(body, "xml"), links: linksOfXml(body) };
    }
    case "markdown": {
      const title = titleOfMarkdown(body);
      return {
        markdown: asMarkdown(body.trim()),
        ...(title === undefined ? {} : { title }),
        links: await runSteps(linksOfMarkdown(body, baseUrl), signal),
      };
    }
    case "text":
      return {
        markdown: language !== undefined || isPreformatted(body) ? fenced(body, language) : asMarkdown(prose(body)),
        links: linksOfText(body),
      };
  }
}

/**
 * Namespaces and document types are names in the form of a URL, and neither style sheets nor comments, with all that is
 * in them, are content; all other URLs are links.
 */
function linksOfXml(xml: string): string[] {
  const content = xml.replace(
    /\s(?:xmlns(?::[\w.-]{1,99})?|xsi:schemaLocation)\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*')|<!--.*?(?:-->|$)|<(?:\?|!(?!\[|--))[^<>]*/gs,
    " ",
  );
  return unique(linksOfText(content).map((link) => decodeXml(link)));
}

/** What begins a tag or an entity, with the back-slashes before it, which would otherwise escape the one put there. */
const markup = /(?<!\\)(\\*)(<(?=[a-z/!?])(?!https?:)|&(?=#?[a-z0-9]{1,32};))/gi;

/** Lists, headings and emphasis mean the same in markdown as in plain text; only tags and entities would vanish. */
function prose(text: string): string {
  const escaped = text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim()
    .replace(markup, (_, slashes: string, sign: string) => `${slashes}${slashes}\\${sign}`);
  return escapeAddresses(escaped);
}

/** With this share of lines that have columns, indentation or line ends of code, text counts as laid out by hand. */
const laidOutShare = 0.2;

function isPreformatted(text: string): boolean {
  let lines = 0;
  let laidOut = 0;
  for (const line of text.split("\n")) {
    const end = line.trimEnd();
    if (end === "") continue;
    lines++;
    if (/^(?:\t| {2})|\S(?:\t| {3})|[{};]$/.test(end)) laidOut++;
  }
  return laidOut > 0 && laidOut >= lines * laidOutShare;
}

/** The first heading, or the title of the front matter. */
function titleOfMarkdown(markdown: string): string | undefined {
  const lines = markdown
    .slice(0, 65_536)
    .split("\n")
    .map((line) => line.trim());
  const frontMatterEnd = lines[0] === "---" ? lines.indexOf("---", 1) : -1;
  const named = lines.slice(0, Math.max(frontMatterEnd, 0)).find((line) => line.startsWith("title:"));
  if (named !== undefined) return withoutQuotes(named.slice("title:".length).trim()) || undefined;

  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = line.match(/^(?:`{3,}|~{3,})/)?.[0];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    if (fence !== undefined || index <= frontMatterEnd) continue;
    if (line.startsWith("# ")) return line.slice(2).replace(closingSigns, "").trim();
    if (/^=+$/.test(line) && lines[index - 1]) return lines[index - 1];
  }
  return undefined;
}

/** Those at the end of a heading, which mean nothing; a sign right behind a word is part of it. */
const closingSigns = /(?:^|\s)#+$/;

function withoutQuotes(text: string): string {
  const isQuoted = text.length > 1 && /["']/.test(text[0]!) && text.endsWith(text[0]!);
  return isQuoted ? text.slice(1, -1) : text;
}
