/** Sites that are too large: many links, graphs, a calendar without an end, large robots files and sitemaps. */
import { htmlPage, number } from "./hostile-page.ts";
import { send, type TestExchange, type TestHandler } from "./test-site-answer.ts";

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Streams a text made of numbered lines, a thousand at a time. */
async function stream(
  exchange: TestExchange,
  parts: { type: string; head: string; tail: string },
  count: number,
  line: (index: number) => string,
) {
  exchange.response.writeHead(200, { "content-type": parts.type });
  await send(exchange, parts.head);
  for (let from = 0; from < count; from += 1000) {
    const lines = range(from, Math.min(count, from + 1000)).map(line);
    if (!(await send(exchange, lines.join("")))) return;
  }
  exchange.response.end(parts.tail);
}

const html = "text/html; charset=utf-8";
const xml = "application/xml";
const xmlns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export const manyPages = {
  page: (exchange) => htmlPage(`Page ${number(exchange, 0, 1)}`),
  links: (exchange) =>
    stream(
      exchange,
      { type: html, head: "<!doctype html><title>Links</title><h1>Links</h1><ul>\n", tail: "</ul>" },
      number(exchange, 0, 100_000),
      (index) => `<li><a href="/page/${index + 1}">Page ${index + 1}</a></li>\n`,
    ),
  /** Every page links to later months, and to itself with a longer query. */
  calendar: ({ url }) => {
    const month = Number(url.searchParams.get("month") ?? 0);
    return htmlPage(`Month ${month}`, [
      `${url.pathname}?${new URLSearchParams([...url.searchParams, ["seen", String(month)]])}`,
      `${url.pathname}?month=${month + 1}`,
      `${url.pathname}?month=${month + 1}&view=week`,
    ]);
  },
  /** `/graph/pages/fanout/page`: a tree in which every page can be reached from page 0, with links back to the root. */
  graph: (exchange) => {
    const [pages, fanout, page] = [number(exchange, 0, 100), number(exchange, 1, 10), number(exchange, 2, 0)];
    if (page < 0 || page >= pages) return { status: 404, body: htmlPage("Not in the graph") };
    const children = range(page * fanout + 1, Math.min(pages, page * fanout + 1 + fanout));
    return htmlPage(
      `Page ${page} of ${pages}`,
      [0, ...children].map((child) => `/graph/${pages}/${fanout}/${child}`),
    );
  },
  "big-robots": (exchange) =>
    stream(
      exchange,
      { type: "text/plain", head: "User-agent: *\nDisallow: /private/\n", tail: "Disallow: /private-at-the-end/\n" },
      Math.ceil(number(exchange, 0, 5_000_000) / 40),
      (index) => `Disallow: /no-entry/to/folder-${String(index).padStart(7, "0")}/\n`,
    ),
  sitemap: (exchange) =>
    stream(
      exchange,
      { type: xml, head: `<?xml version="1.0"?>\n<urlset ${xmlns}>\n`, tail: "</urlset>\n" },
      number(exchange, 0, 1000),
      (index) => `<url><loc>${exchange.url.origin}/page/${index + 1}</loc></url>\n`,
    ),
  "self-sitemap": (exchange) =>
    stream(
      exchange,
      { type: xml, head: `<?xml version="1.0"?>\n<sitemapindex ${xmlns}>\n`, tail: "</sitemapindex>\n" },
      1,
      () => `<sitemap><loc>${exchange.url.href}</loc></sitemap>\n`,
    ),
  "sitemap-index": (exchange) =>
    stream(
      exchange,
      { type: xml, head: `<?xml version="1.0"?>\n<sitemapindex ${xmlns}>\n`, tail: "</sitemapindex>\n" },
      number(exchange, 0, 10),
      (index) =>
        `<sitemap><loc>${exchange.url.origin}/sitemap/${number(exchange, 1, 10)}?file=${index}</loc></sitemap>\n`,
    ),
} satisfies Record<string, TestHandler>;
