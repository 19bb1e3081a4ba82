/**
 * Serves one of the sites, in a process of its own. `node benchmarks/crawl/server.ts real|light|corpora pages [folder]`
 * Writes a line of JSON: the address, and the median size and number of links of a page.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { corpusPages } from "./corpus-pages.ts";
import { lightPages } from "./light-pages.ts";
import { realPages } from "./real-pages.ts";
import { pageIndex } from "./site-graph.ts";

const sites: Readonly<Record<string, (pages: number, folder: string) => (index: number) => Buffer>> = {
  real: realPages,
  light: lightPages,
  corpora: corpusPages,
};

const [kind = "", count, folder = ""] = process.argv.slice(2);
const pages = Number(count);
const site = sites[kind];
if (site === undefined) throw new Error(`There is no site ${kind}`);
const page = site(pages, folder);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const sample = Array.from({ length: Math.min(200, pages) }, (_, index) => page(index));

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url === "/robots.txt") {
    response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /private/\n");
    return;
  }
  const index = pageIndex(request.url ?? "", pages);
  const body = index < 0 ? Buffer.from("<p>Not found</p>") : page(index);
  response.writeHead(index < 0 ? 404 : 200, {
    "content-type": "text/html; charset=utf-8",
    "content-length": body.length,
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const bytes = median(sample.map((each) => each.length));
  const links = median(sample.map((each) => each.toString().split("<a ").length - 1));
  console.log(JSON.stringify({ url, bytes, links }));
});
process.once("disconnect", () => process.exit());
