/** Other engines, run on the same pages in the same process. */
import { setImmediate } from "node:timers/promises";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM, VirtualConsole } from "jsdom";
import TurndownService from "turndown";

/** A page's markdown by another engine; empty when it fails. */
export type Peer = (html: string, url: string) => Promise<string>;

const silent = new VirtualConsole();
const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

/** In a turn of its own, and closed afterwards: what a window holds by weak references is kept until a turn ends. */
async function withDocument<Result>(
  html: string,
  url: string,
  use: (document: Document) => Result,
): Promise<Awaited<Result>> {
  await setImmediate();
  const { window } = new JSDOM(html, { url, virtualConsole: silent });
  try {
    return await use(window.document);
  } finally {
    window.close();
  }
}

export const PEERS: Readonly<Record<string, Peer>> = {
  Readability: (html, url) =>
    withDocument(html, url, (document) => {
      const article = new Readability(document).parse();
      return article?.content ? turndown.turndown(article.content) : "";
    }),
  Defuddle: (html, url) =>
    withDocument(html, url, async (document) => (await Defuddle(document, url, { markdown: true })).content),
};
