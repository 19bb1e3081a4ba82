/** Serves the demo site on loopback: pages, redirects, faults, robots.txt, sitemaps, a PDF. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { journalIndex, journalPages } from "./journal.ts";
import { picture } from "./pictures.ts";
import { type DemoPage, readPages } from "./read-pages.ts";
import { encodeShiftJis } from "./shift-jis.ts";
import { compressed, robots, sitemap, sitemapIndex } from "./sitemaps.ts";
import { renderPage } from "./template.ts";

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly body?: string | Uint8Array;
}

export interface DemoSite extends AsyncDisposable {
  /** Address of the home page, without a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

const redirects: Readonly<Record<string, readonly [status: number, location: string]>> = {
  "/history": [301, "/about/"],
  "/start": [302, "/docs/install"],
  "/telescopes.php": [301, "/about/instruments/"],
};

const conditions = {
  time: "2025-11-07T17:00:00Z",
  wind: 3.4,
  humidity: 71,
  temperature: -1.2,
  sky: "thin cloud, clearing from the west",
};
const conditionsText = `TARN HILL, CONDITIONS AT 17:00

wind          3.4 m/s from the west
humidity      71 %
temperature   -1.2 degrees
sky           thin cloud, clearing from the west

The dome opens at 19:00 unless this line says otherwise.
`;

const notFound: DemoPage = {
  path: "",
  title: "Not found",
  description: "",
  layout: "plain",
  lang: "en-GB",
  charset: "utf-8",
  tags: [],
  body: "<h1>Nothing here</h1><p>This page was mislaid, like plate 377-B. Try the <a href='/'>home page</a>.</p>",
};

function routes(pages: ReadonlyMap<string, DemoPage>, report: Uint8Array, origin: string) {
  const all = [...pages.values()];
  const journal = all.filter((page) => page.path.startsWith("/journal/"));
  const rest = all.filter((page) => !page.path.startsWith("/journal/") && page.path !== "/members/");

  const html = (page: DemoPage, status = 200): Answer => {
    const siblings = all.filter((other) => other.layout === page.layout && other.path !== page.path);
    const start = page.title.length % Math.max(1, siblings.length);
    const text = renderPage(page, origin, [...siblings.slice(start), ...siblings.slice(0, start)].slice(0, 4));
    return {
      status,
      type: `text/html; charset=${page.charset}`,
      body: page.charset === "shift_jis" ? encodeShiftJis(text) : text,
    };
  };
  const fixed: Readonly<Record<string, (url: URL) => Answer>> = {
    "/robots.txt": () => ({ type: "text/plain", body: robots(origin) }),
    "/sitemap.xml": () => ({ type: "application/xml", body: sitemapIndex(origin) }),
    "/sitemaps/pages.xml": () => ({ type: "application/xml", body: sitemap(origin, rest) }),
    "/sitemaps/journal.xml.gz": () => ({ type: "application/gzip", body: compressed(sitemap(origin, journal)) }),
    "/press/annual-report.pdf": () => ({ type: "application/pdf", body: report }),
    "/observing/conditions.txt": () => ({ type: "text/plain; charset=utf-8", body: conditionsText }),
    "/observing/conditions.json": () => ({ type: "application/json", body: JSON.stringify(conditions, null, 2) }),
    "/observing/live-camera/": () => ({
      status: 500,
      type: "text/html",
      body: "<h1>Camera error</h1><p>There is a spider on the lens.</p>",
    }),
    "/journal/": (url) => {
      const number = Number(url.searchParams.get("page") ?? 1);
      return number >= 1 && number <= journalPages(journal) ? html(journalIndex(journal, number)) : html(notFound, 404);
    },
  };

  return (url: URL): Answer => {
    const path = url.pathname.replace(/index\.html$/, "");
    const redirect = redirects[path];
    if (redirect !== undefined) return { status: redirect[0], location: redirect[1] };
    const page = pages.get(path);
    if (fixed[path] !== undefined) return fixed[path](url);
    if (page !== undefined) return html(page);
    if (path.startsWith("/images/")) return { type: "image/svg+xml", body: picture(path) };
    if (pages.has(`${path}/`) || fixed[`${path}/`] !== undefined)
      return { status: 301, location: `${path}/${url.search}` };
    return html(notFound, 404);
  };
}

/**
 * Starts the site.
 *
 * @example
 * const site = await serveDemoSite();
 * console.log(site.url); // http://127.0.0.1:40123
 * await site.close();
 */
export async function serveDemoSite(options: { readonly port?: number } = {}): Promise<DemoSite> {
  const pages = await readPages();
  const report = await readFile(join(import.meta.dirname, "annual-report.pdf"));
  const server = createServer((request, response) => {
    const { status = 200, type, location, body = "" } = find(URL.parse(request.url ?? "/", origin) ?? new URL(origin));
    if (type !== undefined) response.setHeader("content-type", type);
    if (location !== undefined) response.setHeader("location", location);
    response.writeHead(status).end(body);
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const find = routes(pages, report, origin);
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { url: origin, close, [Symbol.asyncDispose]: close };
}
