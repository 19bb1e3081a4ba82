/** Webhooks: what a receiver gets, in which order, and what happens when it does not take it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { signWebhook } from "../src/drivers/webhook-signature.ts";
import { memoryStorage, type Storage, verifyWebhook } from "../src/index.ts";
import { billingTarget } from "../src/jobs/delivery-targets.ts";
import { fakeModel, hostile } from "../src/testing/index.ts";
import { httpServer } from "./network-server.ts";
import { engineFor, noPage, page, site } from "./start-engine.ts";

interface Delivery {
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly body: {
    success: boolean;
    type: string;
    id: string;
    data: { metadata: { url?: string; sourceURL: string } }[];
    metadata: object;
    error?: string;
  };
}

/** A receiver that keeps what it gets and answers as told. */
async function receiver(answer: (response: ServerResponse, count: number) => void = (response) => response.end()) {
  const received: Delivery[] = [];
  const server = await httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
      answer(response, received.length);
    });
  });
  const types = () => received.map(({ body }) => body.type);
  return { url: server.url("/hook"), received, types };
}

const routes = {
  "/": page("home", ["/a", "/broken"]),
  "/a": page("a"),
  "/broken": noPage,
};

test("a signature is read without white space around it; without a key or a single header there is none", () => {
  const signed = signWebhook("body", "key");
  expect(verifyWebhook("body", ` ${signed} `, "key")).toBe(true);
  expect(verifyWebhook("body", [signed], "key")).toBe(false);
  expect(verifyWebhook("body", signWebhook("body", ""), "")).toBe(false);
  for (const header of [undefined, null, "", "sha256="]) expect(verifyWebhook("body", header, "key")).toBe(false);
});

test("a receiver may put a delivery off for an hour at most", async () => {
  const { url } = await site({ "/a": page("a") });
  const hook = await receiver((response) => response.writeHead(503, { "retry-after": "86400" }).end());
  const storage = memoryStorage();
  const settle = vi.spyOn(storage.outbox, "settle");
  const engine = engineFor({ storage, webhooks: { retryDelays: [10] } });
  await engine.batchScrape({ urls: [`${url}/a`], webhook: { url: hook.url, events: ["started"] } });
  await expect.poll(() => settle.mock.calls.length).toBe(1);
  const { at, retryAt } = settle.mock.calls[0]?.[1].failed ?? { at: 0, retryAt: 0 };
  // The two are read from the clock one after the other.
  const hour = 60 * 60 * 1000;
  expect((retryAt ?? 0) - at).toBeGreaterThan(hour - 1000);
  expect((retryAt ?? 0) - at).toBeLessThan(hour + 1000);
});

test("a charge is offered to the host's billing ever more rarely, and at least once a minute", () => {
  const { retryDelay } = billingTarget({ authorize: () => ({ allowed: true }), charge() {} });
  expect([1, 2, 3, 7, 1000].map((attempts) => retryDelay(attempts, undefined, 0))).toEqual([
    1000, 2000, 4000, 60_000, 60_000,
  ]);
});

test("a crawl announces its start, each page and its end, in order, signed over the raw body", async () => {
  const { url } = await site(routes);
  const hook = await receiver();
  const engine = engineFor({ webhooks: { secret: "geheim" } });
  const job = await engine.crawl({
    url,
    webhook: {
      url: hook.url,
      // What the engine says of a delivery cannot be replaced.
      headers: { "X-Mine": "1", "X-Service-Event-Id": "mine", "X-Service-Signature": "mine" },
      metadata: { tenant: "a", nested: { n: 1 } },
    },
  });
  await job.wait();
  await vi.waitFor(() => expect(hook.types()).toContain("crawl.completed"), { timeout: 20_000 });
  expect(hook.types()).toEqual(["crawl.started", "crawl.page", "crawl.page", "crawl.page", "crawl.completed"]);
  for (const { headers, raw, body } of hook.received) {
    expect(headers["x-mine"]).toBe("1");
    expect(headers["content-type"]).toBe("application/json");
    expect(verifyWebhook(raw, headers["x-service-signature"], "geheim")).toBe(true);
    expect(verifyWebhook(`${raw} `, headers["x-service-signature"], "geheim")).toBe(false);
    expect(body).toMatchObject({ id: job.id, metadata: { tenant: "a", nested: { n: 1 } } });
  }
  expect(new Set(hook.received.map(({ headers }) => headers["x-service-event-id"])).size).toBe(5);
  const pages = hook.received.filter(({ body }) => body.type === "crawl.page").map(({ body }) => body);
  expect(pages.every(({ data }) => data.length === 1)).toBe(true);
  const failed = pages.find(({ success }) => !success);
  expect(failed).toMatchObject({
    error: expect.stringContaining("not supported"),
    data: [{ metadata: { sourceURL: `${url}/broken` } }],
  });
});

test("an extract announces its start and its result, or its failure", async () => {
  const { url } = await site(routes);
  const hook = await receiver();
  const engine = engineFor({ model: fakeModel({ title: "a" }), webhooks: { secret: "s" } });
  const webhook = { url: hook.url, metadata: { tenant: "a" } };
  const schema = { type: "object", properties: { title: { type: "string" } } } as const;
  const job = await engine.extract({ urls: [`${url}/a`], schema, showSources: true, webhook });
  await job.wait();
  await vi.waitFor(() => expect(hook.types()).toEqual(["extract.started", "extract.completed"]), { timeout: 20_000 });
  expect(hook.received[0]?.body).toMatchObject({ success: true, id: job.id, data: [], metadata: { tenant: "a" } });
  expect(hook.received[1]?.body).toMatchObject({
    success: true,
    id: job.id,
    data: [{ success: true, data: { title: "a" }, extractId: job.id, totalUrlsScraped: 1, sources: expect.anything() }],
    metadata: { tenant: "a" },
  });
  await (await engine.extract({ urls: [`${url}/broken`], schema, webhook })).wait();
  await vi.waitFor(() => expect(hook.types().slice(2)).toEqual(["extract.started", "extract.failed"]), {
    timeout: 20_000,
  });
  expect(hook.received.at(-1)?.body).toMatchObject({ success: false, error: expect.any(String), data: [] });
  for (const { raw, headers } of hook.received) {
    expect(verifyWebhook(raw, headers["x-service-signature"], "s")).toBe(true);
  }
});

test.each([undefined, null])("a team whose secret is %s gets its deliveries unsigned", async (secret) => {
  const { url } = await site({ "/": page("home") });
  const { url: hook, received } = await receiver();
  const engine = engineFor({ webhooks: { secret: () => secret as undefined } });
  await (await engine.batchScrape({ urls: [url], webhook: hook })).wait();
  await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 20_000 });
  expect(received.every(({ headers }) => headers["x-service-signature"] === undefined)).toBe(true);
});

test.each(["", 7])("nothing is signed with %j: the delivery fails, and says why", async (secret) => {
  const { url } = await site({ "/": page("home") });
  const { url: hook, received } = await receiver();
  const engine = engineFor({ webhooks: { secret: () => secret as string, retryDelays: [] } });
  await (await engine.batchScrape({ urls: [url], webhook: { url: hook, events: ["completed"] } })).wait();
  await vi.waitFor(
    async () =>
      expect((await engine.getFailedDeliveries()).deliveries).toMatchObject([
        { error: "webhooks.secret must give a text, or undefined for deliveries without a signature" },
      ]),
    { timeout: 20_000 },
  );
  expect(received).toEqual([]);
});

test("a string is the URL, and events chooses", async () => {
  const { url } = await site(routes);
  const hook = await receiver();
  const engine = engineFor();
  await (await engine.batchScrape({ urls: [`${url}/a`], webhook: hook.url })).wait();
  await vi.waitFor(
    () => expect(hook.types()).toEqual(["batch_scrape.started", "batch_scrape.page", "batch_scrape.completed"]),
    { timeout: 20_000 },
  );
  expect(hook.received[0]?.headers["x-service-signature"]).toBeUndefined();
  const chosen = await receiver();
  await (await engine.crawl({ url, webhook: { url: chosen.url, events: ["completed"] } })).wait();
  await vi.waitFor(() => expect(chosen.types()).toEqual(["crawl.completed"]), { timeout: 20_000 });
});

test("a job that failed says so; a cancelled one announces no end", async () => {
  const { url } = await site({
    "/": noPage,
    "/slow": page("slow", ["/more"]),
    "/more": hostile("/slow-headers/0"),
  });
  const hook = await receiver();
  const engine = engineFor();
  await (await engine.crawl({ url, webhook: { url: hook.url, events: ["failed", "completed"] } })).wait();
  await vi.waitFor(() => expect(hook.types()).toEqual(["crawl.failed"]), { timeout: 20_000 });
  expect(hook.received[0]?.body).toMatchObject({ success: false, error: expect.stringContaining("start") });
  const job = await engine.crawl({
    url: `${url}/slow`,
    crawlEntireDomain: true,
    webhook: { url: hook.url, events: ["failed", "completed"] },
  });
  for await (const _ of job) break;
  await job.cancel();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hook.types()).toEqual(["crawl.failed"]);
});

test("what is not taken is tried again with the same body and signature, and nothing overtakes it", async () => {
  const { url } = await site(routes);
  const hook = await receiver((response, count) => response.writeHead(count <= 2 ? 500 : 204).end());
  const engine = engineFor({ webhooks: { secret: "s", retryDelays: [20, 20] } });
  await (await engine.crawl({ url: `${url}/a`, webhook: hook.url })).wait();
  await vi.waitFor(() => expect(hook.types()).toContain("crawl.completed"), { timeout: 20_000 });
  expect(hook.types()).toEqual(["crawl.started", "crawl.started", "crawl.started", "crawl.page", "crawl.completed"]);
  const tries = hook.received.slice(0, 3);
  expect(new Set(tries.map(({ raw }) => raw)).size).toBe(1);
  expect(new Set(tries.map(({ headers }) => headers["x-service-signature"])).size).toBe(1);
  expect(new Set(tries.map(({ headers }) => headers["x-service-event-id"])).size).toBe(1);
});

test("a receiver that resets is tried again, one that asks for more time gets it", async () => {
  const { url } = await site(routes);
  const times: number[] = [];
  const hook = await receiver((response, count) => {
    times.push(Date.now());
    if (count === 1) response.destroy();
    else if (count === 2) response.writeHead(503, { "retry-after": "1" }).end();
    else response.end();
  });
  const engine = engineFor({ webhooks: { retryDelays: [20, 20, 20] } });
  await (await engine.crawl({ url: `${url}/a`, webhook: { url: hook.url, events: ["started"] } })).wait();
  await vi.waitFor(() => expect(times).toHaveLength(3), { timeout: 20_000 });
  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeLessThan(900);
  expect(third - second).toBeGreaterThan(950);
  expect(new Set(hook.received.map(({ raw }) => raw)).size).toBe(1);
});

test("of many deliveries that were given up a thousand are listed, or as many as the caller asks for", async () => {
  const storage = memoryStorage();
  const id = (at: number) => `item-${String(at).padStart(4, "0")}`;
  for (let at = 0; at < 1001; at++) {
    const lane = `lane-${at}`;
    const item = { id: id(at), team: "default", jobId: null, target: "webhook", lane, payload: "{}", createdAt: 1 };
    await storage.outbox.add([item]);
    await storage.outbox.take({ worker: "worker", now: 1, leaseUntil: 2, lanes: 1, batch: 1 });
    const failed = { id: item.id, at, retryAt: null, error: "410" };
    await storage.outbox.settle({ lane, worker: "worker" }, { delivered: [], failed });
  }
  const engine = engineFor({ storage });
  const listed = async (filter?: object) => (await engine.getFailedDeliveries(filter)).deliveries.map(({ id }) => id);
  expect(await listed()).toEqual(Array.from({ length: 1000 }, (_, at) => id(at)));
  expect(await listed({ skip: 1000 })).toEqual([id(1000)]);
  expect(await listed({ skip: 3, limit: 2 })).toEqual([id(3), id(4)]);
  await expect(listed({ skip: -1, limit: 10_001 })).rejects.toMatchObject({
    details: [{ path: ["skip"] }, { path: ["limit"] }],
  });
});

test("a delivery that is given up is kept, listed and can be delivered again", async () => {
  const { url } = await site(routes);
  let open = false;
  const hook = await receiver((response) => response.writeHead(open ? 200 : 410).end());
  const engine = engineFor({ webhooks: { retryDelays: [] } });
  const job = await engine.crawl({ url: `${url}/a`, webhook: { url: hook.url, events: ["completed"] } });
  await job.wait();
  const failed = () => engine.getFailedDeliveries({ jobId: job.id });
  await vi.waitFor(async () => expect((await failed()).deliveries).toHaveLength(1), { timeout: 20_000 });
  const { deliveries } = await failed();
  // Some databases keep ids in capitals.
  expect(await engine.getFailedDeliveries({ jobId: job.id.toUpperCase() })).toEqual(await failed());
  expect(deliveries[0]).toMatchObject({
    jobId: job.id,
    target: "webhook",
    type: "crawl.completed",
    url: hook.url,
    attempts: 1,
    error: "The receiver answered 410",
  });
  expect((await engine.getFailedDeliveries({}, { team: "other" })).deliveries).toEqual([]);
  await expect(engine.redeliver(deliveries[0]?.id ?? "", { team: "other" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  open = true;
  expect(await engine.redeliver(deliveries[0]?.id ?? "")).toEqual({ success: true });
  await vi.waitFor(() => expect(hook.received).toHaveLength(2), { timeout: 20_000 });
  await vi.waitFor(async () => expect((await failed()).deliveries).toEqual([]), { timeout: 20_000 });
  expect(hook.received[1]?.raw).toBe(hook.received[0]?.raw);
});

test("events of a receiver that has been dead for a day are tried once each, and all are kept as failed", async () => {
  const { url } = await site(routes);
  const hook = await receiver((response) => response.writeHead(503).end());
  const own = memoryStorage();
  const day = 24 * 60 * 60 * 1000;
  const storage: Storage = {
    ...own,
    outbox: {
      ...own.outbox,
      async take(request) {
        const lanes = await own.outbox.take(request);
        return lanes.map(({ lane, items }) => ({
          lane,
          items: items.map((item) => ({ ...item, createdAt: item.createdAt - day - 1 })),
        }));
      },
    },
  };
  const engine = engineFor({ storage });
  const job = await engine.batchScrape({ urls: [`${url}/`, `${url}/a`], webhook: hook.url });
  await job.wait();
  await vi.waitFor(
    async () => {
      const { deliveries } = await engine.getFailedDeliveries({ jobId: job.id });
      expect(deliveries.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    },
    { timeout: 20_000 },
  );
  expect(hook.types().filter((type) => type === "batch_scrape.page")).toHaveLength(2);
});

test("a receiver that stalls delays neither the job nor other receivers", async () => {
  const { url } = await site(routes);
  const dead = await receiver(() => {});
  const alive = await receiver();
  const engine = engineFor({ webhooks: { timeoutMs: 60_000, retryDelays: [] } });
  const stalled = await engine.crawl({ url, webhook: dead.url });
  const other = await engine.crawl({ url, webhook: alive.url });
  await Promise.all([stalled.wait(), other.wait()]);
  await vi.waitFor(() => expect(alive.types()).toContain("crawl.completed"), { timeout: 20_000 });
  // Everything has ended, while the first delivery to the other is still in progress.
  expect(dead.types()).toEqual(["crawl.started"]);
  expect((await engine.getFailedDeliveries()).deliveries).toEqual([]);
});

test("a delivery fails when the receiver takes longer than it may", async () => {
  const { url } = await site(routes);
  const dead = await receiver(() => {});
  const engine = engineFor({ webhooks: { timeoutMs: 200, retryDelays: [] } });
  await engine.crawl({ url, webhook: dead.url });
  await vi.waitFor(async () => expect((await engine.getFailedDeliveries()).deliveries.length).toBe(5), {
    timeout: 20_000,
  });
  expect((await engine.getFailedDeliveries()).deliveries[0]?.error).toContain("200 ms");
});

test("many dead receivers do not hold up one that is alive", async () => {
  const { url } = await site(routes);
  const dead = await receiver(() => {});
  const alive = await receiver();
  const engine = engineFor({ webhooks: { timeoutMs: 60_000, retryDelays: [] } });
  const webhook = { url: dead.url, events: ["started"] as const };
  for (let count = 0; count < 40; count++) await engine.batchScrape({ urls: [`${url}/a`], webhook });
  const started = Date.now();
  await engine.batchScrape({ urls: [`${url}/a`], webhook: { url: alive.url, events: ["started"] } });
  await vi.waitFor(() => expect(alive.types()).toEqual(["batch_scrape.started"]), { timeout: 40_000 });
  expect(Date.now() - started).toBeLessThan(40_000);
});

test("a storage that fails for a moment does not end deliveries", async () => {
  const { url } = await site(routes);
  const hook = await receiver();
  const storage = memoryStorage();
  let failures = 0;
  const engine = engineFor({
    storage: {
      ...storage,
      outbox: {
        ...storage.outbox,
        take: (request) => (failures++ < 3 ? Promise.reject(new Error("no disk")) : storage.outbox.take(request)),
      },
    },
  });
  await engine.batchScrape({ urls: [`${url}/a`], webhook: { url: hook.url, events: ["started"] } });
  await vi.waitFor(() => expect(hook.types()).toEqual(["batch_scrape.started"]), { timeout: 20_000 });
});

test("redirects and private addresses are refused", async () => {
  const target = await receiver();
  const { url } = await site({ ...routes, "/away": { status: 307, headers: { location: target.url } } });
  const engine = engineFor({ webhooks: { retryDelays: [] } });
  await (await engine.crawl({ url: `${url}/a`, webhook: { url: `${url}/away`, events: ["completed"] } })).wait();
  await vi.waitFor(async () => expect((await engine.getFailedDeliveries()).deliveries).toHaveLength(1), {
    timeout: 20_000,
  });
  expect(target.received).toHaveLength(0);

  const guarded = engineFor({
    webhooks: { retryDelays: [] },
    network: { allowHosts: ["site.test"], lookup: async () => [{ address: "127.0.0.1", family: 4 }] },
  });
  const job = await guarded.crawl({
    url: url.replace("127.0.0.1", "site.test"),
    limit: 1,
    webhook: { url: target.url, events: ["completed"] },
  });
  await job.wait();
  await vi.waitFor(
    async () => expect((await guarded.getFailedDeliveries()).deliveries[0]?.error).toMatch(/not a public address/),
    { timeout: 20_000 },
  );
  expect(target.received).toHaveLength(0);
});

test("what a closed engine could not deliver, the next one does", async () => {
  const { url } = await site(routes);
  let open = false;
  const hook = await receiver((response) => response.writeHead(open ? 200 : 503).end());
  const storage = memoryStorage();
  // So many that none is used up before it closes, however slowly that comes about.
  const first = engineFor({ storage, webhooks: { retryDelays: Array.from({ length: 100 }, () => 300) } });
  await (await first.crawl({ url: `${url}/a`, webhook: { url: hook.url, events: ["page", "completed"] } })).wait();
  await vi.waitFor(() => expect(hook.received.length).toBeGreaterThan(0), { timeout: 20_000 });
  await first.close();
  open = true;
  const before = hook.received.length;
  const second = engineFor({ storage });
  await second.resume();
  await vi.waitFor(() => expect(hook.types().slice(before)).toEqual(["crawl.page", "crawl.completed"]), {
    timeout: 20_000,
  });
});

test("a delivery that the engine's end interrupts is no failed attempt", async () => {
  const { url } = await site(routes);
  let open = false;
  const hook = await receiver((response) => void (open && response.writeHead(200).end()));
  const storage = memoryStorage();
  const first = engineFor({ storage, webhooks: { retryDelays: [] } });
  await first.batchScrape({ urls: [`${url}/a`], webhook: { url: hook.url, events: ["started"] } });
  await vi.waitFor(() => expect(hook.received).toHaveLength(1), { timeout: 20_000 });
  await first.close();
  open = true;
  const second = engineFor({ storage, webhooks: { retryDelays: [] } });
  await second.resume();
  await vi.waitFor(() => expect(hook.received).toHaveLength(2), { timeout: 20_000 });
  expect((await second.getFailedDeliveries()).deliveries).toEqual([]);
});
