/** Processes that deliver events and charges are killed at many moments: nothing is lost, reordered or charged twice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { type Charge, verifyWebhook } from "../src/index.ts";
import { httpServer } from "./network-server.ts";
import { runAndKill } from "./run-and-kill.ts";
import { engineFor, page, site } from "./start-engine.ts";

interface Arrival {
  readonly id: string;
  readonly type: string;
  readonly url: string | undefined;
}

/** Takes webhooks and charges; now and then it refuses one, or takes it and does not live to say so. */
async function receiver() {
  const arrivals: Arrival[] = [];
  const charges: Charge[] = [];
  let count = 0;
  const server = await httpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    count++;
    // A bank that fails is asked again after a second: that is to be rare here.
    const rare = request.url === "/charge" ? 3 : 1;
    if (count % (11 * rare) === 0) {
      response.writeHead(503).end();
      return;
    }
    const body = JSON.parse(raw);
    if (request.url === "/charge") {
      charges.push(body);
    } else {
      expect(verifyWebhook(raw, request.headers["x-service-signature"], "s")).toBe(true);
      const id = String(request.headers["x-service-event-id"]);
      arrivals.push({ id, type: body.type, url: body.data[0]?.metadata.sourceURL });
    }
    if (count % (13 * rare) === 0) request.socket.destroy();
    else response.end();
  });
  return { url: server.url(""), arrivals, charges, count: () => count };
}

const pages = 40;

test.each([[[1, 3, 9]], [[2, 30, 2]], [[20, 1, 1, 25]], [[60, 15]]])("killed after %j deliveries", async (kills) => {
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-outbox-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "crawl.db");
  const links = Array.from({ length: pages - 1 }, (_, index) => `/p/${index}`);
  const server = await site({ "/": page("home", links), "*": ({ url }) => ({ body: page(url.pathname), delay: 2 }) });
  const hook = await receiver();
  for (const [index, deliveries] of kills.entries()) {
    const goal = hook.count() + deliveries;
    // The first has a crawl to announce; a later one may have nothing left to deliver.
    const giveUp = Date.now() + (index === 0 ? 30_000 : 5000);
    const isTime = () => hook.count() >= goal || Date.now() > giveUp;
    await runAndKill("outbox-kill-child.ts", [path, server.url, hook.url, index === 0 ? "start" : "resume"], isTime);
  }

  const storage = sqliteStorage({ path });
  const engine = engineFor({
    storage,
    webhooks: { secret: "s", retryDelays: [20, 20, 20, 20, 20] },
    billing: {
      authorize: () => ({ allowed: true }),
      charge: async (charge) => {
        const answer = await fetch(`${hook.url}/charge`, { method: "POST", body: JSON.stringify(charge) });
        if (!answer.ok) throw new Error("the bank is closed");
      },
    },
  });
  await engine.resume();
  const types = () => hook.arrivals.map(({ type }) => type);
  await vi.waitFor(() => expect(types()).toContain("crawl.completed"), { timeout: 20_000 });
  const charged = () => new Map(hook.charges.map((charge) => [charge.id, charge]));
  await vi.waitFor(() => expect(charged().size).toBe(pages), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await storage.outbox.nextDue()).toBeNull(), { timeout: 20_000 });

  // Each event once by its id, in order; a repeated one goes back no further than to what was not yet settled.
  const first = [...new Map([...hook.arrivals].reverse().map((arrival) => [arrival.id, arrival])).values()].reverse();
  const inOrder = first.sort((a, b) => hook.arrivals.indexOf(a) - hook.arrivals.indexOf(b));
  expect(inOrder.map(({ type }) => type)).toEqual([
    "crawl.started",
    ...Array.from({ length: pages }, () => "crawl.page"),
    "crawl.completed",
  ]);
  const jobs = await storage.jobs.listOpenJobs({ now: 0 });
  expect(jobs).toEqual([]);
  const jobId = hook.charges[0]?.jobId ?? "";
  const { data } = await engine.getCrawlStatus(jobId);
  expect(inOrder.slice(1, -1).map(({ url }) => url)).toEqual(data.map(({ metadata }) => metadata.sourceURL));
  expect((await engine.getFailedDeliveries()).deliveries).toEqual([]);
  // The bank and the books agree.
  const sum = [...charged().values()].reduce((total, { credits }) => total + credits, 0);
  expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: sum }]);
  expect(sum).toBe(pages);
});
