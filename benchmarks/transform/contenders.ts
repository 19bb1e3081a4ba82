/**
 * Ways from the bytes of a page to its markdown, links and metadata: ours, and common combinations of other packages.
 */
import { Readability } from "@mozilla/readability";
import { load } from "cheerio";
import { Defuddle } from "defuddle/node";
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { transform } from "../../src/transform/transform.ts";
import { type CorpusPage, inputOf } from "./corpus.ts";

/** The result of each contender; its size is printed, so that none can be fast by doing nothing. */
export interface PageFields {
  readonly markdown: string;
  readonly links: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Contender {
  readonly name: string;
  run(page: CorpusPage): Promise<PageFields> | PageFields;
}

const decode = (body: Uint8Array): string => new TextDecoder().decode(body);
const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

const crawlcore = (name: string, onlyMainContent: boolean): Contender => ({
  name,
  async run({ body, url }) {
    const { markdown = "", links = [], metadata } = await transform(inputOf(body, url, onlyMainContent));
    return { markdown, links, metadata };
  },
});

/** Links and metadata read from a DOM before Readability takes it apart. */
function readDocument(document: Document): Omit<PageFields, "markdown"> {
  const links = [...document.querySelectorAll("a[href]")].map((link) => (link as HTMLAnchorElement).href);
  const metadata: Record<string, unknown> = { title: document.title };
  for (const meta of document.querySelectorAll("meta[content]")) {
    const key = meta.getAttribute("name") ?? meta.getAttribute("property");
    if (key) metadata[key] = meta.getAttribute("content");
  }
  return { links, metadata };
}

const readability = (
  name: string,
  parse: (page: CorpusPage) => { document: Document; close?: () => void },
): Contender => ({
  name,
  run(page) {
    const { document, close } = parse(page);
    const fields = readDocument(document);
    const article = new Readability(document).parse();
    const markdown = service.turndown(article?.content ?? "");
    close?.();
    return { markdown, ...fields };
  },
});

const defuddle: Contender = {
  name: "Defuddle (linkedom)",
  async run({ body, url }) {
    const { document } = parseHTML(decode(body));
    const { links } = readDocument(document as unknown as Document);
    const { content, ...metadata } = await Defuddle(document as unknown as Document, url, { markdown: true });
    return { markdown: content, links, metadata: { ...metadata } };
  },
};

const cheerio: Contender = {
  name: "cheerio + Turndown",
  run({ body }) {
    const $ = load(decode(body));
    const links = $("a[href]")
      .map((_index, link) => $(link).attr("href"))
      .get();
    const metadata: Record<string, unknown> = { title: $("title").text() };
    $("meta[content]").each((_index, meta) => {
      const key = $(meta).attr("name") ?? $(meta).attr("property");
      if (key) metadata[key] = $(meta).attr("content");
    });
    $("script, style, noscript, header, footer, nav, aside").remove();
    return { markdown: service.turndown($("body").html() ?? ""), links, metadata };
  },
};

export const contenders: readonly Contender[] = [
  crawlcore("crawlcore, main content", true),
  crawlcore("crawlcore, whole page", false),
  cheerio,
  readability(
    "Readability + linkedom + Turndown",
    ({ body }) => parseHTML(decode(body)) as unknown as { document: Document },
  ),
  readability("Readability + jsdom + Turndown", ({ body, url }) => {
    const { window } = new JSDOM(decode(body), { url, virtualConsole: new VirtualConsole() });
    return { document: window.document, close: () => window.close() };
  }),
  defuddle,
];
