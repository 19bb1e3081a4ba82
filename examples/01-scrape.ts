/** Scrapes one page as markdown. `node examples/01-scrape.ts [url]` */
import { createEngine } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

const site = await startSite(process.argv[2]);
const engine = createEngine({ network: site.network });

const { data } = await engine.scrape({ url: site.url, formats: ["markdown", "links"] });
console.log(data.metadata.title);
console.log(data.markdown);
console.log(`${data.links?.length} links`);

await engine.close();
await site.close();
