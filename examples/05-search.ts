/**
 * Searches the scraped pages in the engine's own index, without any search service. `node examples/05-search.ts
 * [query]`
 */
import { createEngine } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

const site = await startSite(undefined);
const engine = createEngine({ network: site.network });

// With `search: searxng({ url })` or another provider, the same call searches the web.
await (await engine.crawl({ url: site.url, limit: 100 })).wait();

const { data, warning } = await engine.search({ query: process.argv[2] ?? "telescope mirror -shop", limit: 3 });
for (const { title, url, description } of data) console.log(`${title}\n  ${url}\n  ${description}`);
if (warning !== null) console.log(warning);

await engine.close();
await site.close();
