/** Crawls a site, and prints each page as it is finished. `node examples/02-crawl.ts [url]` */
import { createEngine } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

const site = await startSite(process.argv[2]);
const engine = createEngine({ network: site.network });

const job = await engine.crawl({ url: site.url, limit: 30, excludePaths: ["^/shop/"] });
for await (const page of job) {
  console.log(page.metadata.statusCode, page.metadata.sourceURL, page.markdown?.length);
}
const { skipped } = await engine.getCrawlErrors(job.id);
for (const { url, reason } of skipped.slice(0, 5)) console.log("left out:", url, reason);

await engine.close();
await site.close();
