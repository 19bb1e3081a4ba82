/** A host's own billing: teams with prepaid credits, reserved before work, charged as it is done. `node examples/own-billing.ts` */
import { type Billing, createEngine, RequestError } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

/** In a program of yours these are rows of a database, and each method is one transaction. */
function prepaid(credits: Map<string, number>): Billing {
  const reserved = new Map<string, { team: string; credits: number }>();
  const charged = new Set<string>();
  const free = (team: string) =>
    [...reserved.values()].reduce((sum, one) => sum - (one.team === team ? one.credits : 0), credits.get(team) ?? 0);
  return {
    authorize({ team, atLeast }, { id }) {
      if (atLeast > free(team)) return { allowed: false, reason: `${free(team)} credits left, ${atLeast} needed` };
      reserved.set(id, { team, credits: (reserved.get(id)?.credits ?? 0) + atLeast });
      return { allowed: true };
    },
    charge(charge) {
      // A charge may come twice; its id tells.
      if (charged.has(charge.id)) return;
      charged.add(charge.id);
      credits.set(charge.team, (credits.get(charge.team) ?? 0) - charge.credits);
      const reservation = reserved.get(charge.jobId ?? charge.id);
      if (reservation !== undefined) reservation.credits = Math.max(0, reservation.credits - charge.credits);
    },
    release({ id }) {
      reserved.delete(id);
    },
  };
}

const site = await startSite(undefined);
const credits = new Map([["acme", 20]]);
const engine = createEngine({ billing: prepaid(credits), network: site.network });

await engine.crawl({ url: site.url, limit: 100 }, { team: "acme" }).catch((error: unknown) => {
  if (RequestError.isInstance(error)) console.log(error.statusCode, error.message);
});
const job = await engine.crawl({ url: site.url, limit: 8 }, { team: "acme" });
const { creditsUsed } = await job.wait();
// Charges are delivered beside the job.
while (credits.get("acme") !== 20 - creditsUsed) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(`${creditsUsed} credits used, ${credits.get("acme")} left`);

await engine.close();
await site.close();
