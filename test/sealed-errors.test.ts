/** Whatever a host or a caller hands in, promises reject with an error of the package, and nobody sees another team. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { CrawlcoreError, memoryStorage, RequestError, ScrapeError, type Storage, watchService } from "../src/index.ts";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** A storage whose jobs cannot be read from the moment that `broken.now` is set. */
function breakable(): { storage: Storage; broken: { now: boolean } } {
  const storage = memoryStorage();
  const broken = { now: false };
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof Storage["jobs"]) {
      const method = target[name] as (...parameters: unknown[]) => unknown;
      return (...parameters: unknown[]) =>
        broken.now && name === "getJob" ? Promise.reject(new Error("no disk")) : method.apply(target, parameters);
    },
  });
  return { storage: { ...storage, jobs }, broken };
}

// Both wait for most of their time, so they do it together.
test.concurrent("waiting, iterating and cancelling reject with an error of the package when the storage fails", async ({
  expect,
  onTestFinished,
}) => {
  const { url } = await site({ "/": page("home") }, onTestFinished);
  const { storage, broken } = breakable();
  const job = await engineFor({ storage }, onTestFinished).crawl({ url });
  await job.wait();
  broken.now = true;
  const failure = { code: "UNKNOWN_ERROR", cause: { message: "no disk" } };
  await expect(job.wait()).rejects.toMatchObject(failure);
  await expect(job.cancel()).rejects.toMatchObject(failure);
  await expect(job[Symbol.asyncIterator]().next()).rejects.toMatchObject(failure);
  broken.now = false;
});

test.concurrent("a failure of the storage does not take a caller's signal away", async ({ expect, onTestFinished }) => {
  const { url } = await site({ "/": page("home", ["/a", "/b"]), "*": { delay: 30_000 } }, onTestFinished);
  const { storage, broken } = breakable();
  const stop = new AbortController();
  const job = await engineFor({ storage }, onTestFinished).crawl({ url }, { signal: stop.signal });
  broken.now = true;
  await expect(job.wait()).rejects.toMatchObject({ code: "UNKNOWN_ERROR" });
  await new Promise((resolve) => setTimeout(resolve, 700));
  broken.now = false;
  stop.abort();
  expect((await job.wait()).status).toBe("cancelled");
});

test("a stream of a job's pages that its reader destroys ends with the reader's own error", async () => {
  const { url } = await site({ "*": page("any") });
  const job = await engineFor({ browser: false }).batchScrape({ urls: [`${url}/a`, `${url}/b`] });
  const pages = Readable.from(job);
  const reason = new Error("the reader has enough");
  pages.once("data", () => pages.destroy(reason));
  const [error] = await once(pages, "error");
  expect(error).toBe(reason);
});

test("what a host's own parts throw reaches callers without its keys", async () => {
  const { url } = await site({ "/": page("home") });
  const sent = 'token=tok-2, {"password":"word-4 word-5"}, Authorization: Bearer sk-3';
  const fail = () => Promise.reject(new Error(`postgres://u:pass-1@db refused, ${sent}`));
  const broken = { name: "broken", search: fail };
  const working = { name: "working", search: async () => [{ url, title: "home", description: "" }] };
  const engine = engineFor({ search: [broken, working], network: { lookup: fail } });
  const message = (call: Promise<unknown>) =>
    call.then(
      () => "",
      (error: Error) => error.message,
    );
  const job = await engine.batchScrape({ urls: ["http://a.example"] });
  const said = [
    await message(engineFor({ billing: { authorize: fail, charge: () => {} } }).map({ url })),
    await message(engineFor({ search: broken }).search({ query: "home" })),
    (await engine.search({ query: "home" })).warning,
    (await job.wait()).data[0]?.metadata.error,
  ];
  for (const text of said) {
    expect(text).toBeTruthy();
    expect(text).not.toMatch(/pass-1|tok-2|sk-3|word-/);
  }
});

test("keys are known by their form, too: those of models and search services stand bare in what these say", async () => {
  const { url } = await site({ "/": page("home") });
  const keys = ["sk-proj-Zx81_aB3dEf4gH5iJ6kL", "AIzaSyD4x-1234567890abcdefghijklmnopqrs"];
  const fail = () => Promise.reject(new Error(`Incorrect API key provided: ${keys[0]}. Not ${keys[1]} either.`));
  const model = { ...fakeModel({}), doGenerate: fail };
  const { warning } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { prompt: "x" } });
  expect(warning).toContain("Incorrect API key provided: [redacted]. Not [redacted] either.");
});

test("watching a job ends with the reason of the caller's signal, also between two looks at it", async () => {
  const { url } = await site({ "*": { delay: 60_000, body: "late" } });
  const engine = engineFor({ browser: false });
  const { id } = await engine.crawl({ url });
  const caller = new AbortController();
  const reason = new Error("the client has gone");
  const watched = (async () => {
    for await (const { type } of watchService(engine, id, { signal: caller.signal })) {
      expect(type).toBe("catchup");
      setTimeout(() => caller.abort(reason), 50);
    }
  })();
  await expect(watched).rejects.toBe(reason);
});

test("options of wait are checked", async () => {
  const { url } = await site({ "/": page("home") });
  const job = await engineFor().crawl({ url });
  for (const options of [null, 5, "x", { signal: {} }, { onProgress: 5 }, { timeout: 5 }]) {
    await expect(job.wait(options as never)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("a closed engine cancels nothing", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.crawl({ url });
  await engine.close();
  await expect(job.cancel()).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  const other = engineFor({ storage });
  expect((await other.getCrawlStatus(job.id)).status).not.toBe("cancelled");
});

test("a context that cannot be read rejects and does not throw", async () => {
  const engine = engineFor();
  const context = new Proxy(
    {},
    {
      get() {
        throw new Error("trap");
      },
    },
  );
  const call = engine.getActiveCrawls(context);
  await expect(call).rejects.toSatisfy(CrawlcoreError.isInstance);
  await expect(call).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("failed deliveries are listed for the caller's team only, whatever the filter says", async () => {
  const { url } = await site({ "/": page("home"), "/hook": { status: 500 } });
  const engine = engineFor({ webhooks: { retryDelays: [] } });
  const job = await engine.crawl({ url, webhook: `${url}/hook` }, { team: "one" });
  await job.wait();
  const listed = () => engine.getFailedDeliveries({ jobId: job.id }, { team: "one" });
  await expect.poll(async () => (await listed()).deliveries.length).toBe(3);
  expect(await engine.getFailedDeliveries({ jobId: job.id }, { team: "two" })).toEqual({
    success: true,
    deliveries: [],
  });
  for (const filter of [{ team: "one" }, null, 5, { jobId: 5 }]) {
    await expect(engine.getFailedDeliveries(filter as never, { team: "two" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  }
  for (const id of [undefined, null, 5, ""]) {
    await expect(engine.redeliver(id as never)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("each class of errors knows its own and not the other's, from a second copy of the package too", async () => {
  const copy: typeof import("../src/errors.ts") = await import(`../src/errors.ts${"?copy"}`);
  expect(copy.RequestError).not.toBe(RequestError);
  for (const { RequestError: Request, ScrapeError: Scrape } of [copy, { RequestError, ScrapeError }]) {
    const request: unknown = new Request("NOT_FOUND", "Job not found");
    const scrape: unknown = new Scrape("SCRAPE_TIMEOUT", "too slow", { retryable: true });
    expect([request, scrape].map((error) => CrawlcoreError.isInstance(error))).toEqual([true, true]);
    expect([request, scrape].map((error) => RequestError.isInstance(error))).toEqual([true, false]);
    expect([request, scrape].map((error) => ScrapeError.isInstance(error))).toEqual([false, true]);
    // The compiler knows which it is.
    if (ScrapeError.isInstance(scrape)) expect(scrape.retryable).toBe(true);
  }
  expect([undefined, null, "NOT_FOUND", new Error("x"), { code: "NOT_FOUND" }].some(RequestError.isInstance)).toBe(
    false,
  );
});

test("an error has details, or no key of that name", () => {
  const bare = new RequestError("NOT_FOUND", "Job not found");
  expect(Object.keys(bare).sort()).toEqual(["code", "name", "statusCode"]);
  const details = [{ path: ["url"], message: "is required" }];
  expect(new RequestError("BAD_REQUEST", "url is required", { details })).toHaveProperty("details", details);
});
