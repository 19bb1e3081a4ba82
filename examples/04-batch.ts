/** Scrapes a list of addresses. `node examples/04-batch.ts [url …]` */
import { createEngine } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

const given = process.argv.slice(2);
const site = await startSite(given[0]);
const engine = createEngine({ network: site.network });

const urls =
  given.length > 0
    ? given
    : ["/docs/install/", "/shop/red-torch/", "/ja/", "/no-such-page/"].map((path) => site.url + path);
const job = await engine.batchScrape({
  urls: [...urls, "not an address"],
  ignoreInvalidURLs: true,
  formats: ["markdown"],
});
console.log("not taken:", job.invalidURLs);

const { data, status, creditsUsed } = await job.wait();
for (const { metadata, markdown } of data) {
  console.log(metadata.statusCode, metadata.sourceURL, metadata.title, markdown?.length);
}
console.log(`${status}, ${creditsUsed} credits`);

await engine.close();
await site.close();
