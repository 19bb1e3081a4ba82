/**
 * Your own billing: teams with prepaid credits, which are reserved before work starts and charged as it is done. `node
 * examples/own-billing.ts`
 */
import { createEngine, RequestError } from "../src/index.ts"; // in your program: from "crawlcore"
import { prepaidBilling } from "./prepaid-billing.ts";
import { startSite } from "./start-site.ts";

const site = await startSite(undefined);
const credits = new Map([["acme", 20]]);
const engine = createEngine({ billing: prepaidBilling(credits), network: site.network });

await engine.crawl({ url: site.url, limit: 100 }, { team: "acme" }).catch((error: unknown) => {
  if (RequestError.isInstance(error)) console.log(error.statusCode, error.message);
});
const job = await engine.crawl({ url: site.url, limit: 8 }, { team: "acme" });
const { creditsUsed } = await job.wait();
// Charges are delivered independently of the job.
while (credits.get("acme") !== 20 - creditsUsed) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(`${creditsUsed} credits used, ${credits.get("acme")} left`);

await engine.close();
await site.close();
