/** What things cost, when a team is asked to pay, and that everything is charged once. */
import { Server } from "proxy-chain";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type Authorization,
  type Billing,
  type BillingRequest,
  type Charge,
  defaultPricing,
  memoryStorage,
  type Pricing,
  type Reservation,
} from "../src/index.ts";
import { pageCredits } from "../src/page/credits.ts";
import { fakeModel, hostile, type TestExchange } from "../src/testing/index.ts";
import { rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { collectCharges, engineFor, noPage, page, site } from "./start-engine.ts";

/** A PDF of so many pages with some text on each. */
function pdf(pages: number): Uint8Array {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const kids = Array.from({ length: pages }, (_, index) => `${4 + 2 * index} 0 R`).join(" ");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (let index = 0; index < pages; index++) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    objects.push(stream(`BT /F1 12 Tf 72 720 Td (Page ${index + 1} says a few words about fares.) Tj ET`));
  }
  return rawPdf(objects);
}

describe("the price of a page", () => {
  const flags = [false, true];
  const combinations = [undefined, 0, 1, 2, 7].flatMap((readPages) =>
    flags.flatMap((json) =>
      flags.flatMap((stealth) => flags.map((zeroDataRetention) => ({ readPages, json, stealth, zeroDataRetention }))),
    ),
  );

  test.each(combinations)("$readPages PDF pages, json $json, stealth $stealth, retention $zeroDataRetention", (row) => {
    const { readPages, ...rest } = row;
    const priced = readPages === undefined ? rest : { readPages, ...rest };
    const pages = Math.max(1, readPages ?? 1);
    const extras = (row.json ? 4 : 0) + (row.stealth ? 4 : 0) + (row.zeroDataRetention ? 1 : 0);
    expect(pageCredits(priced, defaultPricing)).toBe(pages + extras);
    const own: Pricing = { ...defaultPricing, page: 10, pdfPage: 3, json: 100, stealth: 1000, zeroDataRetention: 0.5 };
    const ownExtras = (row.json ? 100 : 0) + (row.stealth ? 1000 : 0) + (row.zeroDataRetention ? 0.5 : 0);
    expect(pageCredits(priced, own)).toBe(10 + 3 * (pages - 1) + ownExtras);
  });
});

describe("through the door", () => {
  const routes = {
    "/": page("home"),
    "/missing": { status: 404, body: page("missing") },
    "/broken": { status: 500, body: page("broken") },
    "/empty": "",
    "/three.pdf": { headers: { "content-type": "application/pdf" }, body: pdf(3) },
    "/dead": hostile("/reset-before-headers"),
  };
  const rows: readonly (readonly [string, object, number])[] = [
    ["/", {}, 1],
    ["/", { formats: ["markdown", "html", "rawHtml", "links"] }, 1],
    ["/", { formats: ["markdown", "changeTracking"], changeTrackingOptions: { modes: ["git-diff"] } }, 1],
    ["/", { zeroDataRetention: true }, 2],
    ["/missing", {}, 1],
    ["/broken", {}, 1],
    ["/empty", {}, 1],
    ["/three.pdf", {}, 3],
    ["/three.pdf", { parsePDF: false }, 1],
    ["/three.pdf", { zeroDataRetention: true }, 4],
    ["/three.pdf", { parsePDF: false, zeroDataRetention: true }, 2],
  ];

  test.each(rows)("a scrape of %s with %j costs %i", async (path, options, credits) => {
    const { url } = await site(routes);
    const engine = engineFor();
    const { data } = await engine.scrape({ url: url + path, ...options });
    expect(data.metadata.creditsUsed).toBe(credits);
    expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: credits }]);
  });

  test.each(rows)("a batch of %s with %j costs %i, also when it is named twice", async (path, options, credits) => {
    const { url } = await site(routes);
    const engine = engineFor();
    const job = await engine.batchScrape({ urls: [url + path, url + path], ...options });
    const status = await job.wait();
    expect([status.completed, status.creditsUsed]).toEqual([2, credits]);
    expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: credits }]);
  });

  test("pages of a PDF that are not read cost nothing", async () => {
    const body = pdf(1002);
    const { url } = await site({ "/long.pdf": { headers: { "content-type": "application/pdf" }, body } });
    const { data } = await engineFor().scrape({ url: `${url}/long.pdf` });
    expect(data.warning).toContain("1002 pages; only the first 1000 were read");
    expect(data.metadata).toMatchObject({ numPages: 1002, creditsUsed: 1000 });
  });

  test("a failed page costs nothing, a cache hit as much as a page, a map what it costs", async () => {
    const { url } = await site(routes);
    const engine = engineFor();
    await expect(engine.scrape({ url: `${url}/dead` })).rejects.toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    expect((await engine.getCreditUsageHistorical()).periods).toEqual([]);
    await engine.scrape({ url: `${url}/three.pdf` });
    const hit = await engine.scrape({ url: `${url}/three.pdf`, maxAge: 60_000 });
    expect(hit.data.metadata).toMatchObject({ cacheState: "hit", creditsUsed: 3 });
    await engine.map({ url });
    expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: 7 }]);
  });

  const json = { formats: ["json"] as const, jsonOptions: { prompt: "the title" } };
  const changes = {
    formats: ["markdown", "changeTracking"] as const,
    changeTrackingOptions: { modes: ["json"] as const, prompt: "the title" },
  };
  const both = { ...json, ...changes, formats: ["markdown", "json", "changeTracking"] as const };
  const none = { zeroDataRetention: true };
  /** Where basic is refused, by `auto` too, and the stealth proxy brings the page. */
  const dear: readonly (readonly [string, object, number])[] = [
    ["/", json, 5],
    ["/", { formats: ["extract"], extract: { prompt: "the title" } }, 5],
    ["/", changes, 5],
    ["/", both, 5],
    ["/", { ...json, ...none }, 6],
    ["/missing", json, 5],
    ["/three.pdf", json, 7],
    ["/three.pdf", { ...json, ...none }, 8],
    ["/three.pdf", { ...json, parsePDF: false }, 1],
    ["/three.pdf", { ...both, ...none, parsePDF: false }, 2],
    ["/", { ...json, parsePDF: false }, 5],
    ["/", { proxy: "stealth" }, 5],
    ["/", { proxy: "stealth", ...json }, 9],
    ["/", { proxy: "stealth", ...json, ...none }, 10],
    ["/three.pdf", { proxy: "stealth" }, 7],
    ["/three.pdf", { proxy: "stealth", parsePDF: false }, 5],
    ["/three.pdf", { proxy: "stealth", ...json, ...none }, 12],
    ["/", { proxy: "auto" }, 1],
    ["/", { proxy: "auto", ...json }, 5],
    ["/picky", { proxy: "basic" }, 1],
    ["/picky", { proxy: "auto" }, 5],
    ["/picky", { proxy: "auto", ...json }, 9],
    ["/picky", { proxy: "auto", ...none }, 6],
  ];

  async function dearEngine() {
    const picky = ({ request }: TestExchange) =>
      /Chrome/.test(request.headers["user-agent"] ?? "") ? page("let in") : { status: 403, body: page("kept out") };
    const { url } = await site({ ...routes, "/picky": picky });
    const proxy = new Server({ port: 0, host: "127.0.0.1" });
    await proxy.listen();
    onTestFinished(() => proxy.close(true));
    const proxies = { basic: [`http://127.0.0.1:${proxy.port}`], stealth: [`http://127.0.0.1:${proxy.port}`] };
    return { url, engine: engineFor({ proxies, browser: false, model: fakeModel({ title: "home" }) }) };
  }

  test("models and proxies, in scrapes, batches and crawls", async () => {
    const { url, engine } = await dearEngine();
    let total = 0;
    for (const [path, options, credits] of dear) {
      const named = `${path} ${JSON.stringify(options)}`;
      const { data } = await engine.scrape({ url: url + path, ...options });
      expect(data.metadata.creditsUsed, named).toBe(credits);
      const { zeroDataRetention = false, ...scrapeOptions } = options as { zeroDataRetention?: boolean };
      const crawl = await engine.crawl({ url: url + path, limit: 1, scrapeOptions, zeroDataRetention });
      const batch = await engine.batchScrape({ urls: [url + path], ...options });
      expect((await crawl.wait()).creditsUsed, named).toBe(credits);
      expect((await batch.wait()).creditsUsed, named).toBe(credits);
      total += 3 * credits;
    }
    expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: total }]);
  });

  test("a search costs its results, or their pages", async () => {
    const { url } = await site(routes);
    const hits = ["/", "/missing", "/three.pdf", "/dead"].map((path) => ({
      url: url + path,
      title: path,
      description: "",
    }));
    const engine = engineFor({ search: { name: "list", search: async ({ limit }) => hits.slice(0, limit) } });
    const used = async () => (await engine.getCreditUsageHistorical()).periods[0]?.totalCredits ?? 0;
    await engine.search({ query: "fares", limit: 4 });
    expect(await used()).toBe(4);
    await engine.search({ query: "fares", limit: 3, scrapeOptions: { formats: ["markdown"] } });
    expect(await used()).toBe(4 + 1 + 1 + 3);
    // One that could not be scraped is still a result.
    await engine.search({ query: "fares", limit: 4, scrapeOptions: { formats: ["markdown"] } });
    expect(await used()).toBe(4 + 5 + 6);
  });

  test("a host's prices", async () => {
    const { url } = await site(routes);
    const engine = engineFor({ pricing: { page: 10, pdfPage: 2, map: 0.5 } });
    expect((await engine.scrape({ url: `${url}/three.pdf` })).data.metadata.creditsUsed).toBe(14);
    await engine.map({ url });
    expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: 14.5 }]);
  });

  test("prices that are fractions add up exactly, wherever the sum is shown or asked for", async () => {
    const { url } = await site({ "*": page("any"), "/three.pdf": routes["/three.pdf"] });
    const asked: number[] = [];
    const billing: Billing = {
      authorize({ atLeast }) {
        asked.push(atLeast);
        return { allowed: true };
      },
      charge() {},
    };
    const engine = engineFor({ billing, pricing: { page: 0.1, pdfPage: 0.1 } });
    expect((await engine.scrape({ url: `${url}/three.pdf` })).data.metadata.creditsUsed).toBe(0.3);
    const job = await engine.batchScrape({ urls: ["a", "b", "c"].map((name) => `${url}/${name}`) });
    expect((await job.wait()).creditsUsed).toBe(0.3);
    await (await engine.crawl({ url, limit: 3 })).wait();
    expect(asked).toEqual([0.1, 0.3, 0.3]);
    expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: 0.7 }]);
    const cheap = engineFor({ pricing: { page: 2e-7 } });
    expect((await cheap.scrape({ url })).data.metadata.creditsUsed).toBe(2e-7);
  });
});

/** A bank of so many credits that reserves what is asked for. */
function bank(credits: number) {
  const reserved = new Map<string, number>();
  const charged = new Map<string, Charge>();
  const spent = () => [...charged.values()].reduce((sum, charge) => sum + charge.credits, 0);
  const free = () => credits - spent() - [...reserved.values()].reduce((sum, amount) => sum + amount, 0);
  return {
    reserved,
    charged,
    free,
    authorize({ atLeast }: BillingRequest, { id }: Reservation) {
      if (atLeast > free()) return { allowed: false as const, reason: `${free()} left` };
      reserved.set(id, (reserved.get(id) ?? 0) + atLeast);
      return { allowed: true as const };
    },
    charge(charge: Charge) {
      if (charged.has(charge.id)) return;
      charged.set(charge.id, charge);
      const id = charge.jobId ?? charge.id;
      const rest = reserved.get(id);
      if (rest !== undefined) reserved.set(id, Math.max(0, rest - charge.credits));
    },
    release: ({ id }: Reservation) => void reserved.delete(id),
  };
}

test("two crawls cannot spend the same credits; what a job did not need is free once it has ended", async () => {
  const refused = Promise.withResolvers<void>();
  const { url } = await site({
    "/": async () => {
      await refused.promise;
      return page("home", ["/a"]);
    },
    "/a": page("a"),
  });
  const billing = bank(100);
  const engine = engineFor({ billing });
  const first = await engine.crawl({ url, limit: 80 });
  await expect(engine.crawl({ url, limit: 80 })).rejects.toMatchObject({ statusCode: 402 });
  refused.resolve();
  await first.wait();
  await vi.waitFor(() => expect(billing.reserved.size).toBe(0), { timeout: 20_000 });
  expect([billing.free(), billing.charged.size]).toEqual([98, 2]);
  expect([...billing.charged.values()].every(({ jobId }) => jobId === first.id)).toBe(true);

  const cancelled = await engine.crawl({ url, limit: 98 });
  await cancelled.cancel();
  const { data } = await engine.scrape({ url });
  await expect(engine.scrape({ url: "http://127.0.0.1:1/" })).rejects.toThrow();
  await engine.map({ url });
  const batch = await engine.batchScrape({ urls: [url] });
  await (await engine.batchScrape({ urls: [`${url}/a`], appendToId: batch.id })).wait();
  await vi.waitFor(() => expect([billing.reserved.size, billing.free()]).toEqual([0, 94]), { timeout: 20_000 });
  expect(billing.charged.has(data.metadata.scrapeId ?? "")).toBe(true);
});

test("URLs added to a batch are asked for and charged under the key that started it", async () => {
  const { url } = await site({ "/a": page("a"), "/b": page("b") });
  const keys: (string | null)[] = [];
  const authorize = ({ apiKey }: { apiKey: string | null }) => {
    keys.push(apiKey);
    return { allowed: true } as const;
  };
  const engine = engineFor({ billing: { authorize, charge: ({ apiKey }) => void keys.push(apiKey) } });
  const batch = await engine.batchScrape({ urls: [`${url}/a`] }, { apiKey: "first" });
  const more = await engine.batchScrape({ urls: [`${url}/b`], appendToId: batch.id }, { apiKey: "second" });
  await more.wait();
  await vi.waitFor(() => expect(keys).toEqual(["first", "first", "first", "first"]), { timeout: 20_000 });
});

test("of the URLs added to a batch, those are asked for that cost something", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname), "/none": noPage });
  const asked: number[] = [];
  const authorize = ({ atLeast }: BillingRequest) => {
    asked.push(atLeast);
    return { allowed: true } as const;
  };
  const engine = engineFor({ billing: { authorize, charge() {} } });
  const batch = await engine.batchScrape({ urls: [`${url}/a`, `${url}/none`] });
  await batch.wait();
  const append = async (paths: readonly string[], options = {}) => {
    const more = { urls: paths.map((path) => url + path), appendToId: batch.id, ...options };
    await (await engine.batchScrape(more)).wait();
  };
  await append(["/a", "/b", "/b/", "/c"]);
  await append(["/a", "/b"]);
  // What failed is tried again, and other options make other results.
  await append(["/none"]);
  await append(["/a"], { formats: ["html"] });
  expect(asked).toEqual([2, 2, 0, 1, 1]);
  expect((await batch.wait()).creditsUsed).toBe(4);
});

test("URLs added to a batch that keeps no data are asked for at its price", async () => {
  const { url } = await site({ "/never": hostile("/slow-headers/0"), "/b": page("b") });
  const asked: number[] = [];
  const authorize = ({ atLeast }: BillingRequest) => {
    asked.push(atLeast);
    return { allowed: true } as const;
  };
  const engine = engineFor({ billing: { authorize, charge() {} } });
  const batch = await engine.batchScrape({ urls: [`${url}/never`], zeroDataRetention: true });
  await engine.batchScrape({ urls: [`${url}/b`], appendToId: batch.id });
  expect(asked).toEqual([2, 2]);
  await batch.cancel();
});

test("the charge of a single call is told to the host's billing at once", async () => {
  const { url } = await site({ "/": page("home") });
  const { billing, charges } = collectCharges();
  await engineFor({ billing }).scrape({ url });
  await expect.poll(() => charges.length, { timeout: 4000 }).toBe(1);
});

/** A host's billing that answers when it is told to, and knows what is reserved. */
function hesitant() {
  const reserved: string[] = [];
  const released: string[] = [];
  const waiting: PromiseWithResolvers<Authorization>[] = [];
  return {
    reserved,
    released,
    waiting,
    authorize(_: BillingRequest, { id }: Reservation) {
      const answer = Promise.withResolvers<Authorization>();
      reserved.push(id);
      waiting.push(answer);
      return answer.promise;
    },
    charge() {},
    release: ({ id }: Reservation) => void released.push(id),
  };
}

test("a call that is stopped while it waits for billing starts no job, and what was reserved is free again", async () => {
  const storage = memoryStorage();
  const createJob = vi.spyOn(storage.jobs, "createJob");
  const billing = hesitant();
  const controller = new AbortController();
  const call = engineFor({ billing, storage }).crawl({ url: "http://127.0.0.1:1/" }, { signal: controller.signal });
  await expect.poll(() => billing.waiting.length).toBe(1);
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  billing.waiting[0]?.resolve({ allowed: true });
  await expect.poll(() => billing.released).toEqual(billing.reserved);
  expect(createJob).not.toHaveBeenCalled();
});

test("what billing has reserved is free again, though its answer was lost", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const reserving = bank(1000);
  let isLost = false;
  const authorize: Billing["authorize"] = (...asked) => {
    const answer = reserving.authorize(...asked);
    if (isLost) throw new Error("connection lost after the commit");
    return answer;
  };
  const engine = engineFor({ billing: { ...reserving, authorize } });
  const ended = await engine.batchScrape({ urls: [`${url}/a`] });
  await ended.wait();
  await expect.poll(() => reserving.reserved.size).toBe(0);
  isLost = true;
  const calls = [
    engine.scrape({ url }),
    engine.map({ url }),
    engine.crawl({ url, limit: 10 }),
    engine.batchScrape({ urls: [url] }),
    engine.batchScrape({ urls: [`${url}/b`], appendToId: ended.id }),
  ];
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({ reason: { message: expect.stringContaining("connection lost") } });
  }
  await expect.poll(() => [...reserving.reserved.values()]).toEqual([]);
});

test("what billing reserves once the engine is closed is free again", async () => {
  const billing = hesitant();
  const engine = engineFor({ billing });
  const calls = [1, 2].map(() => engine.scrape({ url: "http://127.0.0.1:1/" }).catch(({ code }) => code));
  await expect.poll(() => billing.waiting.length).toBe(2);
  await engine.close();
  expect(await Promise.all(calls)).toEqual(["ENGINE_CLOSED", "ENGINE_CLOSED"]);
  const [first, second] = billing.waiting;
  first?.resolve({ allowed: false, reason: "no credits" });
  second?.resolve({ allowed: true });
  await expect.poll(() => billing.released).toEqual([billing.reserved[1]]);
});

test("each call asks for what it will cost at the least, before any work", async () => {
  const server = await site({ "/": page("home") });
  const asked: [string, number][] = [];
  const engine = engineFor({
    billing: {
      authorize({ kind, atLeast }) {
        asked.push([kind, atLeast]);
        return { allowed: false, reason: "no credits" };
      },
      charge() {},
    },
  });
  const { url } = server;
  const changed: { url: string; limit?: number } = { url };
  const calls = [
    engine.scrape({ url }),
    engine.map({ url }),
    engine.crawl({ url }),
    engine.crawl({ url, limit: 7 }),
    engine.crawl(changed),
    engine.batchScrape({ urls: [url, `${url}/a`, `${url}/b`, `${url}/a`] }),
  ];
  // The caller may go on with its object as soon as the call has been made.
  changed.limit = 5;
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  expect(asked.sort()).toEqual([
    ["batch_scrape", 3],
    ["crawl", 1],
    ["crawl", 1],
    ["crawl", 7],
    ["map", 1],
    ["scrape", 1],
  ]);
  expect(server.received).toEqual([]);
});

test("a refusal says why, if the host does", async () => {
  for (const [reason, message] of [
    ["nothing left", "Insufficient credits: nothing left"],
    [undefined, "Insufficient credits"],
    ["", "Insufficient credits"],
  ]) {
    // A host without types may leave the reason out.
    const authorize = () => ({ allowed: false, reason }) as { allowed: false; reason: string };
    const call = engineFor({ billing: { authorize, charge() {} } }).scrape({ url: "http://127.0.0.1:1/" });
    await expect(call).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS", message });
  }
});

test.each([undefined, null, true, {}, { allowed: "yes" }])(
  "an answer of %j allows nothing, and is named",
  async (answer) => {
    const billing = { authorize: () => answer as never, charge: () => {} };
    const { url, requests } = await site({ "/": page("home") });
    await expect(engineFor({ billing }).scrape({ url })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: "billing.authorize must give { allowed: true } or { allowed: false, reason }",
    });
    expect(requests.size).toBe(0);
  },
);

test("a billing that answers nothing once the engine is closed does the process no harm", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<never>();
  const authorize = () => {
    asked.resolve();
    return answer.promise;
  };
  const strays: unknown[] = [];
  const listen = (reason: unknown) => void strays.push(reason);
  process.on("unhandledRejection", listen);
  onTestFinished(() => void process.off("unhandledRejection", listen));
  const engine = engineFor({ billing: { authorize, charge: () => {} } });
  const call = engine.scrape({ url: "http://127.0.0.1/" }).catch(({ code }) => code);
  await asked.promise;
  await engine.close();
  answer.resolve(undefined as never);
  expect(await call).toBe("ENGINE_CLOSED");
  await new Promise((resolve) => setImmediate(resolve));
  expect(strays).toEqual([]);
});

test("what every page will cost beside its own price is asked for too", async () => {
  const { url } = await site({ "/": page("home") });
  const asked: number[] = [];
  const engine = engineFor({
    model: fakeModel(() => ({})),
    proxies: { stealth: ["http://127.0.0.1:9"] },
    pricing: { page: 2 },
    billing: {
      authorize({ atLeast }) {
        asked.push(atLeast);
        return { allowed: false, reason: "no credits" };
      },
      charge() {},
    },
  });
  const json = { formats: ["json"], jsonOptions: { prompt: "title" } } as const;
  const tracked = { formats: ["markdown", "changeTracking"], changeTrackingOptions: { modes: ["json"] } } as const;
  const calls = [
    () => engine.scrape({ url }),
    () => engine.scrape({ url, ...json }),
    () => engine.scrape({ url, ...tracked }),
    () => engine.scrape({ url, proxy: "auto", zeroDataRetention: true }),
    () => engine.scrape({ url, proxy: "stealth" }),
    () => engine.crawl({ url, limit: 10, scrapeOptions: json }),
    () => engine.crawl({ url, limit: 10, zeroDataRetention: true }),
    () => engine.batchScrape({ urls: [url, `${url}/a`], proxy: "stealth", zeroDataRetention: true, ...json }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ statusCode: 402 });
  expect(asked).toEqual([2, 6, 6, 3, 6, 60, 30, 22]);
});
