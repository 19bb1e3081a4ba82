/** Other engines, run on the same pages in the same process. */
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM, VirtualConsole } from "jsdom";
import TurndownService from "turndown";

/** A page's markdown by another engine; empty when it fails. */
export type Peer = (html: string, url: string) => Promise<string>;

const silent = new VirtualConsole();
const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

export const PEERS: Readonly<Record<string, Peer>> = {
  Readability: async (html, url) => {
    const { document } = new JSDOM(html, { url, virtualConsole: silent }).window;
    const article = new Readability(document).parse();
    return article?.content ? turndown.turndown(article.content) : "";
  },
  Defuddle: async (html, url) => {
    const { document } = new JSDOM(html, { url, virtualConsole: silent }).window;
    const result = await Defuddle(document, url, { markdown: true });
    return result.content;
  },
};
