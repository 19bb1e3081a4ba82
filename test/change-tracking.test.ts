/** Change tracking: what a page is compared with, what counts as a change, and how it is shown. */
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { urlKey } from "../src/frontier/url-key.ts";
import { memoryStorage, type ScrapeRequest } from "../src/index.ts";
import { diffMarkdown } from "../src/page/markdown-diff.ts";
import { isChanged } from "../src/page/markdown-noise.ts";
import { fakeModel } from "../src/testing/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { collectCharges, engineFor, page, site } from "./start-engine.ts";

type Route = string | { status: number; body: string };

/** A site of one page whose answer can be changed. */
async function onePage(first: Route) {
  const state = { answer: first };
  const { url } = await site({ "/": () => (typeof state.answer === "string" ? { body: state.answer } : state.answer) });
  return { url, state };
}

const text = (body: string) => `<html><body><main><h1>Fares</h1><p>${body}</p></main></body></html>`;

function tracker(engine: ReturnType<typeof engineFor>, url: string) {
  return async (options: Partial<ScrapeRequest> = {}, team = "default") => {
    const { data } = await engine.scrape({ url, formats: ["markdown", "changeTracking"], ...options }, { team });
    return data;
  };
}

test("new, same, changed, removed", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const scrape = tracker(engineFor(), url);
  const first = (await scrape()).changeTracking;
  expect(first).toEqual({ previousScrapeAt: null, changeStatus: "new", visibility: "visible" });
  const second = (await scrape()).changeTracking;
  expect(second).toEqual({ previousScrapeAt: expect.any(String), changeStatus: "same", visibility: "visible" });
  expect(new Date(second?.previousScrapeAt ?? "").toISOString()).toBe(second?.previousScrapeAt);
  state.answer = text("A ticket is 5 EUR.");
  expect((await scrape()).changeTracking?.changeStatus).toBe("changed");
  state.answer = { status: 404, body: text("gone") };
  const gone = (await scrape()).changeTracking;
  expect(gone).toMatchObject({ changeStatus: "removed", previousScrapeAt: expect.any(String) });
  // What stands in the page's place is not compared with it.
  state.answer = { status: 410, body: text("gone for good") };
  const forGood = (await scrape({ changeTrackingOptions: { modes: ["git-diff"] } })).changeTracking;
  expect(forGood).toEqual({ changeStatus: "removed", previousScrapeAt: expect.any(String), visibility: "visible" });
  const { url: missing } = await onePage({ status: 404, body: text("never there") });
  expect((await tracker(engineFor(), missing)()).changeTracking).toEqual({
    previousScrapeAt: null,
    changeStatus: "removed",
    visibility: "visible",
  });
});

test("git-diff gives hunks as text and as JSON, only when something changed", async () => {
  const { url, state } = await onePage(text("Ticket 4 EUR"));
  const scrape = tracker(engineFor(), url);
  const options: Partial<ScrapeRequest> = { changeTrackingOptions: { modes: ["git-diff"] } };
  expect((await scrape(options)).changeTracking).not.toHaveProperty("diff");
  state.answer = text("Ticket 5 EUR");
  expect((await scrape(options)).changeTracking?.diff).toEqual({
    text: "@@ -1,3 +1,3 @@\n # Fares\n \n-Ticket 4 EUR\n+Ticket 5 EUR",
    json: {
      files: [
        {
          from: null,
          to: null,
          chunks: [
            {
              content: "@@ -1,3 +1,3 @@",
              changes: [
                { type: "normal", normal: true, ln1: 1, ln2: 1, content: " # Fares" },
                { type: "normal", normal: true, ln1: 2, ln2: 2, content: " " },
                { type: "del", del: true, ln: 3, content: "-Ticket 4 EUR" },
                { type: "add", add: true, ln: 3, content: "+Ticket 5 EUR" },
              ],
            },
          ],
        },
      ],
    },
  });
  expect((await scrape(options)).changeTracking).not.toHaveProperty("diff");
});

test("a scrape with a tag does not make the common history forget a plain scrape", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const engine = engineFor();
  await engine.scrape({ url });
  await engine.scrape({ url, formats: ["markdown", "changeTracking"], changeTrackingOptions: { tag: "t" } });
  state.answer = text("A ticket is 5 EUR.");
  const { data } = await engine.scrape({ url, formats: ["markdown", "changeTracking"] });
  expect(data.changeTracking?.changeStatus).toBe("changed");
});

test("nor does a plain scrape count as the last version for one with a tag", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor();
  await engine.scrape({ url });
  const status = async (tag: string | null) =>
    (await engine.scrape({ url, formats: ["markdown", "changeTracking"], changeTrackingOptions: { tag } })).data
      .changeTracking?.changeStatus;
  expect([await status("t"), await status(null)]).toEqual(["new", "same"]);
});

test("a folder's listing in one order is no version of it in another", async () => {
  const { url } = await site({ "/pub/": ({ url }) => page(url.search.endsWith("O=D") ? "z to a" : "a to z") });
  const engine = engineFor();
  const status = async (query: string) =>
    (await engine.scrape({ url: `${url}/pub/${query}`, formats: ["markdown", "changeTracking"] })).data.changeTracking
      ?.changeStatus;
  expect([await status(""), await status("?C=M;O=D"), await status("?C=M;O=D")]).toEqual(["new", "new", "same"]);
});

test("a history of its own for each team and tag; one for all spellings of a URL", async () => {
  const { url } = await onePage(text("A ticket is 4 EUR."));
  const engine = engineFor();
  const scrape = tracker(engine, url);
  const status = async (...call: Parameters<typeof scrape>) => (await scrape(...call)).changeTracking?.changeStatus;
  const tagged = { changeTrackingOptions: { tag: "hourly" } };
  expect([await status(), await status({}, "other"), await status(tagged)]).toEqual(["new", "new", "new"]);
  expect([await status(), await status({}, "other"), await status(tagged)]).toEqual(["same", "same", "same"]);
  expect(await status({ url: `${url}/?utm_source=mail#fares` })).toBe("same");
});

test("a plain scrape counts as long as its page is in the cache, made with the options of today", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const engine = engineFor();
  const scrape = tracker(engine, url);
  await engine.scrape({ url, onlyMainContent: false });
  expect((await scrape()).changeTracking?.changeStatus).toBe("same");
  state.answer = text("A ticket is 5 EUR.");
  await engine.scrape({ url });
  expect((await scrape()).changeTracking?.changeStatus).toBe("same");
  await engine.scrape({ url, storeInCache: false });
  state.answer = text("A ticket is 6 EUR.");
  expect((await scrape()).changeTracking?.changeStatus).toBe("changed");
});

test("a tracked scrape that is broken off does not make the history forget a plain scrape", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const leaving = new AbortController();
  const model = fakeModel(() => {
    leaving.abort(new Error("gone"));
    return { price: 5 };
  });
  const engine = engineFor({ model });
  await engine.scrape({ url });
  state.answer = text("A ticket is 5 EUR.");
  const tracked = { url, formats: ["markdown", "changeTracking"] as const };
  const request = { ...tracked, formats: [...tracked.formats, "summary"] as const };
  await expect(engine.scrape(request, { signal: leaving.signal })).rejects.toThrow("gone");
  expect((await engine.scrape(tracked)).data.changeTracking?.changeStatus).toBe("changed");
  // Once its version is kept, a tracked scrape is what the cache gives.
  expect((await engine.scrape({ url, maxAge: 60_000 })).data.markdown).toContain("5 EUR");
});

test("a plain scrape is not turned into markdown any more once the caller has gone", async () => {
  const { url } = await onePage(text("A ticket is 4 EUR."));
  const leaving = new AbortController();
  const written: string[] = [];
  const turndown = { turndown: (html: string) => written.push(html).toString() };
  const storage = memoryStorage();
  const engine = engineFor({ turndown, storage });
  await engine.scrape({ url });
  const get = storage.cache.get.bind(storage.cache);
  storage.cache.get = async (...wanted) => {
    const found = await get(...wanted);
    leaving.abort(new Error("gone"));
    return found;
  };
  const tracked = engine.scrape({ url, formats: ["markdown", "changeTracking"] }, { signal: leaving.signal });
  await expect(tracked).rejects.toThrow("gone");
  await engine.scrape({ url });
  expect(written).toHaveLength(2);
});

test("nor does a page of a job that is done again, because the storage failed", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  await engine.scrape({ url });
  state.answer = text("A ticket is 5 EUR.");
  vi.spyOn(storage.jobs, "completePage").mockRejectedValueOnce(new Error("the disk is full"));
  const job = await engine.batchScrape({ urls: [url], formats: ["markdown", "changeTracking"] });
  expect((await job.wait()).data).toMatchObject([{ changeTracking: { changeStatus: "changed" } }]);
  expect((await engine.scrape({ url, maxAge: 60_000 })).data.markdown).toContain("5 EUR");
});

test("an answer that is no version of the page is not compared", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const scrape = tracker(engineFor(), url);
  await scrape();
  state.answer = { status: 500, body: text("out of order") };
  const broken = await scrape();
  expect(broken.changeTracking).toBeUndefined();
  expect(broken.warning).toContain("500");
  state.answer = text("A ticket is 4 EUR.");
  expect((await scrape()).changeTracking?.changeStatus).toBe("same");
});

test("other options are named when they may be the change", async () => {
  const { url } = await onePage(`<html><body><main><h1>Fares</h1><p>One.</p><aside>Two.</aside></main></body></html>`);
  const scrape = tracker(engineFor(), url);
  await scrape({ changeTrackingOptions: { tag: "t" } });
  const other = await scrape({ changeTrackingOptions: { tag: "t" }, excludeTags: ["p"] });
  expect(other.changeTracking?.changeStatus).toBe("changed");
  expect(other.warning).toContain("other options");
});

test("under zero data retention nothing is compared or kept; a look-up that fails is a warning", async () => {
  const { url } = await onePage(text("A ticket is 4 EUR."));
  const storage = memoryStorage();
  const engine = engineFor({
    storage: {
      ...storage,
      versions: {
        ...storage.versions!,
        getLast: (query) =>
          query.tag === "broken" ? Promise.reject(new Error("disk")) : storage.versions!.getLast(query),
      },
    },
  });
  const scrape = tracker(engine, url);
  const kept = await scrape({ zeroDataRetention: true });
  expect(kept.changeTracking).toBeUndefined();
  expect(kept.warning).toContain("zero data retention");
  expect((await scrape()).changeTracking?.changeStatus).toBe("new");
  const failed = await scrape({ changeTrackingOptions: { tag: "broken" } });
  expect(failed.changeTracking).toBeUndefined();
  expect(failed.warning).toContain("could not be looked up");
  expect(failed.markdown).toContain("4 EUR");
});

test("mode json needs a model", async () => {
  const { url } = await onePage(text("A ticket is 4 EUR."));
  await expect(tracker(engineFor(), url)({ changeTrackingOptions: { modes: ["json"] } })).rejects.toMatchObject({
    code: "UNSUPPORTED",
  });
});

test("mode json shows the fields that differ, and a model that fails is a warning", async () => {
  const { url, state } = await onePage(text("Ticket 4 EUR"));
  let works = true;
  const model = fakeModel(({ prompt }) => {
    if (!works) throw new Error("overloaded");
    return { price: Number(/Ticket (\d)/.exec(prompt)?.[1]), currency: "EUR" };
  });
  const { billing, charges } = collectCharges();
  const engine = engineFor({ model, billing });
  const schema = { type: "object", properties: { price: { type: "number" }, currency: { type: "string" } } } as const;
  const scrape = tracker(engine, url);
  const options: Partial<ScrapeRequest> = { changeTrackingOptions: { modes: ["json", "git-diff"], schema } };
  expect((await scrape(options)).changeTracking).not.toHaveProperty("json");
  state.answer = text("Ticket 5 EUR");
  const changed = await scrape(options);
  expect(changed.changeTracking).toMatchObject({ changeStatus: "changed", diff: { text: expect.any(String) } });
  expect(changed.changeTracking?.json).toEqual({ price: { previous: 4, current: 5 } });
  expect(changed.metadata.creditsUsed).toBe(5);
  await vi.waitFor(() => expect(charges.some(({ tokens }) => tokens > 0)).toBe(true), { timeout: 20_000 });
  works = false;
  state.answer = text("Ticket 6 EUR");
  const failed = await scrape(options);
  expect(failed.changeTracking?.changeStatus).toBe("changed");
  expect(failed.changeTracking).not.toHaveProperty("json");
  expect(failed.warning).toBeTruthy();
});

test("a schema whose check never ends costs the comparison, and not the page", async () => {
  const { url, state } = await onePage(text("Ticket 4 EUR"));
  const schema = z.object({ price: z.number().refine(() => new Promise<boolean>(() => {})) });
  const scrape = tracker(engineFor({ model: fakeModel({ price: 4 }) }), url);
  await scrape();
  state.answer = text("Ticket 5 EUR");
  const changed = await scrape({ changeTrackingOptions: { modes: ["json"], schema }, timeout: 4000 });
  expect(changed.changeTracking?.changeStatus).toBe("changed");
  expect(changed.changeTracking).not.toHaveProperty("json");
  expect(changed.warning).toContain("The model did not answer within the timeout");
});

test("a model that is asked for another format and gives no answer costs neither the page nor its comparison", async () => {
  const long = "<p>The same words stand here again, and https://a.example/?x=1 is an address.</p>".repeat(1500);
  const { url, state } = await onePage(text(`${long}<p>Ticket 4 EUR</p>`));
  const scrape = tracker(engineFor({ model: fakeModel(() => new Promise(() => {})) }), url);
  await scrape();
  state.answer = text(`${long}<p>Ticket 5 EUR</p>`);
  const formats = ["markdown", "json", "changeTracking"] as const;
  const changed = await scrape({ formats, jsonOptions: { prompt: "the fare" }, timeout: 4000 });
  expect(changed.json).toBeNull();
  expect(changed.changeTracking?.changeStatus).toBe("changed");
  expect(changed.warning).toContain("The model did not answer within the timeout");
});

test("mode json compares fields whatever they are called", async () => {
  const { url, state } = await onePage(text("The race of Ada"));
  const model = fakeModel(({ prompt }) => (prompt.includes("Ferrari") ? { constructor: "Ferrari" } : {}));
  const schema = { type: "object", properties: { constructor: { type: "string" } } };
  const scrape = tracker(engineFor({ model }), url);
  const options: Partial<ScrapeRequest> = { changeTrackingOptions: { modes: ["json"], schema } };
  await scrape(options);
  state.answer = text("The race of Ada in a Ferrari");
  const { changeTracking } = await scrape(options);
  expect(changeTracking?.json).toEqual({ constructor: { previous: null, current: "Ferrari" } });
});

test("mode json does not name an object of which one version says nothing that the other says", async () => {
  const { url, state } = await onePage(text("The fare of Ada"));
  const model = fakeModel(({ prompt }) => ({ seat: { row: 4, ...(prompt.includes("rises") ? {} : { place: null }) } }));
  const seat = { type: "object", properties: { row: { type: "number" }, place: { type: ["string", "null"] } } };
  const schema = { type: "object", properties: { seat } };
  const scrape = tracker(engineFor({ model }), url);
  const options: Partial<ScrapeRequest> = { changeTrackingOptions: { modes: ["json"], schema } };
  await scrape(options);
  state.answer = text("The fare of Ada rises");
  expect((await scrape(options)).changeTracking?.json).toEqual({});
});

test("mode json compares what a schema converts, to whatever it does", async () => {
  const { url, state } = await onePage(text("Ticket 4 EUR"));
  const model = fakeModel(({ prompt }) => {
    const day = Number(/Ticket (\d)/.exec(prompt)?.[1]);
    return { from: `2026-01-0${day}`, number: day, stops: [`Pier ${day}`], name: "Ticket" };
  });
  const schema = z.object({
    from: z.string().transform((day) => new Date(day)),
    number: z.number().transform(BigInt),
    stops: z.array(z.string()).transform((names) => new Set(names)),
    name: z.string().transform((name) => new Map([[name, 1]])),
  });
  const scrape = tracker(engineFor({ model }), url);
  await scrape();
  state.answer = text("Ticket 5 EUR");
  const { changeTracking } = await scrape({ changeTrackingOptions: { modes: ["json"], schema } });
  expect(changeTracking?.json).toEqual({
    from: { previous: "2026-01-04T00:00:00.000Z", current: "2026-01-05T00:00:00.000Z" },
    number: { previous: "4", current: "5" },
    stops: { previous: ["Pier 4"], current: ["Pier 5"] },
  });
});

test("without a schema a model sees both versions at once, and its answer is given as it is", async () => {
  const { url, state } = await onePage(text("Ticket 4 EUR"));
  let answer: unknown = { fares: { up: ["Ticket"], by: "1 EUR" } };
  const model = fakeModel(() => answer as string);
  const scrape = tracker(engineFor({ model }), url);
  const options: Partial<ScrapeRequest> = {
    changeTrackingOptions: { modes: ["json"], prompt: "Which fares went up?" },
  };
  await scrape(options);
  state.answer = text("Ticket 5 EUR");
  const changed = await scrape(options);
  expect(changed.changeTracking?.json).toEqual(answer);
  expect(changed.warning).toBeUndefined();
  expect(model.calls).toHaveLength(1);
  for (const shown of ["Ticket 4 EUR", "Ticket 5 EUR", "Which fares went up?"]) {
    expect(model.calls[0]?.prompt).toContain(shown);
  }
  // Long versions are shown by what differs.
  const long = "<p>The same words stand here again and again.</p>".repeat(4000);
  state.answer = text(`${long}<p>Ticket 6 EUR</p>`);
  await scrape();
  state.answer = text(`${long}<p>Ticket 7 EUR</p>`);
  expect((await scrape(options)).changeTracking?.json).toEqual(answer);
  expect(model.calls.at(-1)?.prompt).toMatch(/-Ticket 6 EUR\n\+Ticket 7 EUR/);
  expect(model.calls.at(-1)?.prompt.length).toBeLessThan(5000);
  state.answer = text("Ticket 8 EUR");
  await scrape();
  answer = "I see no JSON here";
  state.answer = text("Ticket 9 EUR");
  const failed = await scrape(options);
  expect(failed.changeTracking).not.toHaveProperty("json");
  expect(failed.warning).toContain("no JSON");
  answer = '{"fares": {"up": ["Ticket"]}, "by": "1 E';
  state.answer = text("Ticket 9.50 EUR");
  expect(await scrape(options)).toMatchObject({
    changeTracking: { json: { fares: { up: ["Ticket"] } } },
    warning: "The model's answer broke off: something may be missing.",
  });
  answer = "";
  state.answer = text("Ticket 10 EUR");
  expect((await scrape(options)).warning).toBe("The model gave no answer.");
});

test.each([
  ["memory", () => memoryStorage()],
  ["SQLite", () => sqliteStorage({ path: ":memory:" })],
])("a crawl compares its pages, and looks at those that nothing links to any more: %s", async (_, create) => {
  const state = { links: ["/a", "/b", "/c"], b: { status: 200, body: page("b") } };
  const { url } = await site({
    "/": () => ({ body: page(`home of ${state.links.length}`, state.links) }),
    "/a": page("a"),
    "/b": () => state.b,
    "/c": page("c", ["/d"]),
    "/d": page("d"),
  });
  const engine = engineFor({ storage: create() });
  const crawl = async (limit = 100, more = {}) => {
    const job = await engine.crawl({ url, limit, ...more, scrapeOptions: { formats: ["markdown", "changeTracking"] } });
    const { data, total } = await job.wait();
    expect(total).toBe(data.length);
    const seen = data.map(({ metadata, changeTracking }) => [
      new URL(metadata.sourceURL ?? "").pathname,
      `${changeTracking?.changeStatus} ${changeTracking?.visibility}`,
    ]);
    return Object.fromEntries(seen);
  };
  const all = ["/", "/a", "/b", "/c", "/d"];
  expect(await crawl()).toEqual(Object.fromEntries(all.map((path) => [path, "new visible"])));
  expect(await crawl()).toEqual(Object.fromEntries(all.map((path) => [path, "same visible"])));
  state.links = ["/a"];
  state.b = { status: 404, body: page("nothing here") };
  expect(await crawl()).toEqual({
    "/": "changed visible",
    "/a": "same visible",
    "/b": "removed hidden",
    "/c": "same hidden",
    "/d": "same hidden",
  });
  // What is gone is not looked at again; the limit holds for unlinked pages too.
  expect(Object.keys(await crawl(3))).toHaveLength(3);
  // A crawl that is not to follow all links cannot say what nothing links to.
  expect(Object.keys(await crawl(100, { maxDiscoveryDepth: 0, ignoreSitemap: true }))).toEqual(["/"]);
  expect(Object.keys(await crawl()).sort()).toEqual(["/", "/a", "/c", "/d"]);
});

test("versions go when their time is over", async () => {
  const { url } = await onePage(text("A ticket is 4 EUR."));
  const storage = memoryStorage();
  const engine = engineFor({ storage, limits: { changeHistoryTtlMs: 300 } });
  await tracker(engine, url)();
  const key = urlKey(url, { ignoreQueryParameters: false, deduplicateSimilarURLs: true });
  const last = () => storage.versions?.getLast({ team: "default", key, tag: null });
  expect(await last()).not.toBeNull();
  await vi.waitFor(async () => expect(await last()).toBeNull(), { timeout: 20_000 });
});

test("a page that is worked again after a crash is compared with the version before", async () => {
  const { url, state } = await onePage(text("A ticket is 4 EUR."));
  const storage = memoryStorage();
  const request = { urls: [url], formats: ["markdown", "changeTracking"] as const };
  await (await engineFor({ storage }).batchScrape(request)).wait();
  state.answer = text("A ticket is 5 EUR.");
  let crashes = 1;
  const crashing = engineFor({
    storage: {
      ...storage,
      jobs: {
        ...storage.jobs,
        completePage: (...call) =>
          crashes-- > 0 ? Promise.reject(new Error("crash")) : storage.jobs.completePage(...call),
      },
    },
  });
  const job = await crashing.batchScrape(request);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await crashing.close();
  const next = engineFor({ storage });
  await next.resume();
  let status = await next.getBatchScrapeStatus(job.id);
  while (status.status === "scraping") {
    await new Promise((resolve) => setTimeout(resolve, 50));
    status = await next.getBatchScrapeStatus(job.id);
  }
  expect(status.data[0]?.changeTracking?.changeStatus).toBe("changed");
});

/** As Cloudflare hides email addresses from those who collect them, under another key at each visit. */
function disguised(address: string, key: number): string {
  const signs = [key, ...Buffer.from(address).map((sign) => sign ^ key)];
  return `[email](https://a.test/cdn-cgi/l/email-protection#${Buffer.from(signs).toString("hex")})`;
}

test("noise is no change", async () => {
  const same: readonly (readonly [string, string])[] = [
    ["# A\n\nText  here", "# A\nText here\n"],
    ["![x](data:image/png;base64,AAAA)", "![x](data:image/png;base64,BBBB)"],
    ["[a](https://a.test/p?sid=1&x=2)", "[a](https://a.test/p?sid=9&x=2)"],
    ["[a](https://a.test/p;jsessionid=1F?x=2)", "[a](https://a.test/p;jsessionid=2E?x=2)"],
    ["![a](https://a.test/i.png?v=1700000000)", "![a](https://a.test/i.png?v=1700009999123)"],
    ["[a](https://a.test/p?utm_source=a)", "[a](https://a.test/p)"],
    ["[a](https://a.test/p#b)", "[a](https://a.test/p?sid=1#b)"],
    ["text [ads.test](https://ads.test/1)", "text [ads.test](https://ads.test/2)"],
    [disguised("info@a.test", 0x5a), disguised("info@a.test", 0x11)],
    ["![x](blob:https://a.test/83c28de8-5232-47ae)", "![x](blob:https://a.test/96fcd3d1-f1ce-499c)"],
    ["[a](https://a.test/p?add=1&_wpnonce=1f)", "[a](https://a.test/p?add=1&_wpnonce=2e)"],
    ["[a](https://a.test/p?authenticity_token=1f&b)", "[a](https://a.test/p?authenticity_token=2e&b)"],
    ["[a](https://a.test/p?token=1f&csrfmiddlewaretoken=1f)", "[a](https://a.test/p?token=2e&csrfmiddlewaretoken=2e)"],
    ["[a](https://a.test/?sid=1&a=/email-protection#aabb)", "[a](https://a.test/?sid=2&a=/email-protection#aabb)"],
    ["![a](https://a.test/i.png?jwt=a.b.c)", "![a](https://a.test/i.png?jwt=d.e.f)"],
    [
      "![x](https://b.test/i.png?X-Amz-Credential=A%2F20240101%2Fs3&X-Amz-Date=20240101T000001Z&X-Amz-Signature=ab)",
      "![x](https://b.test/i.png?X-Amz-Credential=A%2F20240102%2Fs3&X-Amz-Date=20240102T000007Z&X-Amz-Signature=cd)",
    ],
    [
      "[a](https://a.test/f?Expires=1700000000&Signature=a~b_)",
      "[a](https://a.test/f?Expires=1700000999&Signature=c_)",
    ],
    [
      "[a](https://a.test/f?se=2024-01-01T00%3A00%3A00Z&sig=1%3D)",
      "[a](https://a.test/f?se=2024-01-02T09%3A00%3A00Z&sig=2)",
    ],
  ];
  for (const [before, after] of same) {
    expect(await isChanged(before, after), after).toBe(false);
    expect(await diffMarkdown(before, after), after).toBeNull();
  }
  const different: readonly (readonly [string, string])[] = [
    ["[a](https://a.test/p?id=1700000000)", "[a](https://a.test/p?id=1700000001)"],
    ["[a](https://a.test/p?page=1)", "[a](https://a.test/p?page=2)"],
    ["[a](https://a.test/p?pageToken=1)", "[a](https://a.test/p?pageToken=2)"],
    ["[a](https://a.test/p?inputToken=BTC)", "[a](https://a.test/p?inputToken=ETH)"],
    ["[a.test](https://b.test/1)", "[a.test](https://b.test/2)"],
    [disguised("info@a.test", 0x5a), disguised("help@a.test", 0x5a)],
    ["one two", "two one"],
    ["", "a"],
  ];
  for (const [before, after] of different) expect(await isChanged(before, after), after).toBe(true);
});

test("a frame that shows something else, and a link that takes up a session, are no change of a page", async () => {
  const visits = [
    `<iframe src="https://ads.test/1"></iframe><a href="/next">Next</a>`,
    `<iframe src="https://ads.test/2?slot=3"></iframe><a href="/next?sid=7f3a">Next</a>`,
  ];
  const { url } = await site({ "/": () => `<main><h1>Fares</h1><p>A ticket is 4 euros.</p>${visits.shift()}</main>` });
  const engine = engineFor();
  const scrape = () => engine.scrape({ url, onlyMainContent: false, formats: ["markdown", "changeTracking"] });
  expect((await scrape()).data.markdown).toContain("https://ads.test/1");
  expect((await scrape()).data.changeTracking?.changeStatus).toBe("same");
});

test("a diff keeps three lines around each change, joins neighbours and shows noise as unchanged", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const changed = lines.with(4, "five").with(11, "twelve").toSpliced(25, 1);
  const diff = await diffMarkdown(lines.join("\n"), changed.join("\n"));
  expect(diff?.json.files[0]?.chunks.map(({ content }) => content)).toEqual(["@@ -2,14 +2,14 @@", "@@ -23,7 +23,6 @@"]);
  expect((await diffMarkdown("", "a\nb"))?.text).toBe("@@ -0,0 +1,2 @@\n+a\n+b");
  expect((await diffMarkdown("a", ""))?.text).toBe("@@ -1,1 +0,0 @@\n-a");
  const noisy = await diffMarkdown("![x](https://a.test/i?ts=1)\nold", "![x](https://a.test/i?ts=2)\nnew");
  expect(noisy?.text).toBe("@@ -1,2 +1,2 @@\n ![x](https://a.test/i?ts=1)\n-old\n+new");
});

test("two large texts with nothing in common are compared in good time, and let others in between", async () => {
  const before = Array.from({ length: 50_000 }, (_, index) => `before ${index}: of the first visit`).join("\n");
  const after = Array.from({ length: 50_000 }, (_, index) => `after ${index}: of the second visit`).join("\n");
  let turns = 0;
  const ticks = setInterval(() => turns++, 1);
  const started = cpuTime();
  const diff = await diffMarkdown(before, after);
  clearInterval(ticks);
  expect(cpuTime() - started).toBeLessThan(10_000);
  expect(turns).toBeGreaterThan(20);
  expect(diff?.json.files[0]?.chunks).toHaveLength(1);
  const hostile = "data:".repeat(100_000) + "https://".repeat(100_000) + "x?".repeat(100_000);
  const begun = cpuTime();
  await isChanged(hostile, `${hostile}!`);
  expect(cpuTime() - begun).toBeLessThan(5000);
});

test("more changes than are found at once are found all the same", async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const changed = lines.map((line, index) => (index % 5 === 0 ? `${line} changed` : line));
  const diff = await diffMarkdown(lines.join("\n"), changed.join("\n"));
  const changes = diff?.json.files[0]?.chunks.flatMap(({ changes }) => changes) ?? [];
  expect(changes.filter(({ type }) => type === "add")).toHaveLength(200);
  expect(changes.filter(({ type }) => type === "del")).toHaveLength(200);
});

test("the search for changes ends with its signal", async () => {
  const text = (name: string) => Array.from({ length: 5000 }, (_, index) => `${name} ${index}`).join("\n");
  const controller = new AbortController();
  // The search takes some thousand turns of the event loop.
  const diff = diffMarkdown(text("before"), text("after"), controller.signal);
  setTimeout(() => controller.abort(new Error("enough")), 200);
  await expect(diff).rejects.toThrow("enough");
});

test("a comparison ends with its signal", async () => {
  const long = "a line: with a colon\n".repeat(300_000);
  await expect(isChanged(long, `${long}!`, AbortSignal.timeout(20))).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a line of frames without an end is compared in linear time", async () => {
  expect(await isChanged("[x](http://x/".repeat(50_000), "another")).toBe(true);
}, 10_000);
