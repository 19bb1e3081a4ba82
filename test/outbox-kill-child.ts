/** The process that `outbox-kill.test.ts` kills: crawls, announces and charges, or goes on with what is in the database. */
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { createEngine } from "../src/index.ts";

const [path = "", url = "", receiver = ""] = process.argv.slice(2);
const engine = createEngine({
  storage: sqliteStorage({ path }),
  network: { allowHosts: ["127.0.0.1"] },
  webhooks: { secret: "s", retryDelays: [20, 20, 20, 20, 20] },
  billing: {
    authorize: () => ({ allowed: true }),
    async charge(charge) {
      const answer = await fetch(`${receiver}/charge`, { method: "POST", body: JSON.stringify(charge) });
      if (!answer.ok) throw new Error("the bank is closed");
    },
  },
});
const { resumed } = await engine.resume();
// Started already, or even done: then only the outbox is left to deliver.
if (resumed.length === 0 && process.argv[5] === "start") {
  await engine.crawl({ url, limit: 100, webhook: `${receiver}/hook` });
}
await new Promise(() => setInterval(() => {}, 1000));
