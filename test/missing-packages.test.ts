/** An optional package that is not installed, or too old: what needs it is refused or fails, and says what to install. */
import { expect, test, vi } from "vitest";
import { pgBossQueue } from "../src/drivers/postgres/index.ts";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

vi.mock("ai", () => {
  throw new Error("Cannot find package 'ai'");
});

// Until version 11, the class was all that it exported.
vi.mock("pg-boss", () => ({ default: class {}, PgBoss: undefined }));

vi.mock("../src/fetch/browser/own-require.ts", async (original) => {
  const { ownRequire } = await original<typeof import("../src/fetch/browser/own-require.ts")>();
  const missing = ["@ghostery/adblocker-playwright", "fingerprint-generator"];
  const find: ProxyHandler<NodeJS.Require> = {
    apply(load, _, [name]: [string]) {
      if (missing.includes(name)) throw new Error(`Cannot find module '${name}'`);
      return load(name);
    },
  };
  return { ownRequire: () => new Proxy(ownRequire(), find) };
});

const install = expect.stringContaining("npm install ai");
const json = { formats: ["json"], jsonOptions: { prompt: "the name" } } as const;

test("a model without the AI SDK refuses a scrape, and fails the pages of a job", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  await expect(engine.scrape({ url, ...json })).rejects.toMatchObject({ code: "UNSUPPORTED", message: install });
  const job = await engine.crawl({ url, scrapeOptions: json });
  expect(await job.wait()).toMatchObject({ status: "failed", data: [{ metadata: { error: install } }] });
});

test("an extract job ends without it, and says why", async () => {
  const { url } = await site({ "*": page("home", ["/a", "/b"]) });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  const jobs = [
    engine.extract({ urls: [url], prompt: "the name" }),
    engine.extract({ urls: [`${url}/*`], prompt: "the name", limit: 1 }),
    engine.extract({ urls: [url], schema: { type: "object", properties: { name: { type: "string" } } } }),
  ];
  const ended = await Promise.all(jobs.map(async (job) => (await job).wait()));
  expect(ended.map(({ status, error }) => [status, error])).toEqual(jobs.map(() => ["failed", install]));
});

test("filter lists and stealth without their packages are refused, and other pages are rendered", async () => {
  const { url } = await site({ "/": page("home") });
  const proxies = { stealth: ["http://127.0.0.1:1"] };
  const engine = engineFor({ browser: { filterLists: ["/banner.js"] }, proxies });
  const refused = (name: string) => ({ code: "UNSUPPORTED", message: expect.stringContaining(`npm install ${name}`) });
  await expect(engine.scrape({ url, waitFor: 1 })).rejects.toMatchObject(refused("@ghostery/adblocker-playwright"));
  const plain = { url, waitFor: 1, blockAds: false } as const;
  await expect(engine.scrape({ ...plain, proxy: "stealth" })).rejects.toMatchObject(refused("fingerprint-generator"));
  expect((await engine.scrape(plain)).data.metadata.engine).toBe("browser");
});

test("a queue of a version of pg-boss that it does not know refuses jobs", async () => {
  const engine = engineFor({ queue: pgBossQueue({ connectionString: "postgres://127.0.0.1:1/none" }) });
  await expect(engine.crawl({ url: "https://a.example" })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("version 12 of the package `pg-boss`"),
  });
});
