/**
 * A durable crawl, stored in a file: the first engine is closed in the middle, and a second one continues where it
 * stopped. The same happens after a crash. `node examples/03-durable-crawl.ts [url] [crawl.db]`
 */

import { sqliteStorage } from "../src/drivers/sqlite/index.ts"; // from "crawlcore/sqlite"
import { createEngine } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

const path = process.argv[3] ?? "crawl.db";
const site = await startSite(process.argv[2]);

const first = createEngine({ storage: sqliteStorage({ path }), network: site.network });
const job = await first.crawl({ url: site.url, limit: 40 });
let seen = 0;
for await (const page of job) {
  console.log("first engine:", page.metadata.sourceURL);
  if (++seen === 10) break;
}
await first.close();

const second = createEngine({ storage: sqliteStorage({ path }), network: site.network });
const { resumed } = await second.resume();
console.log("resumed:", resumed.includes(job.id));
let status = await second.getCrawlStatus(job.id, { limit: 1 });
while (status.status === "scraping") {
  await new Promise((resolve) => setTimeout(resolve, 100));
  status = await second.getCrawlStatus(job.id, { limit: 1 });
}
console.log(`${status.status}: ${status.completed} of ${status.total} pages, ${status.creditsUsed} credits`);

await second.close();
await site.close();
