/** An optional package that is not installed: what needs it is refused or fails, and says what to install. */
import { expect, test, vi } from "vitest";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

vi.mock("ai", () => {
  throw new Error("Cannot find package 'ai'");
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
