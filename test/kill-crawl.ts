/** The process that `kill.test.ts` kills: crawls into a database, or goes on with the crawl that is in it. */
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { createEngine } from "../src/index.ts";

const [path = "", url = "", pages = ""] = process.argv.slice(2);
const engine = createEngine({ storage: sqliteStorage({ path }), network: { allowHosts: ["127.0.0.1"] } });
const { resumed } = await engine.resume();
if (resumed.length === 0) await engine.crawl({ url, limit: Number(pages) + 1, maxConcurrency: 4 });
await new Promise(() => setInterval(() => {}, 1000));
