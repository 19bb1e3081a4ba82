/** One team's rendered pages do not keep another's waiting. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

// These wait for most of their time, so they do it together.
test.concurrent("a single page of one team gets a tab after one page of another team's many", async ({
  onTestFinished,
}) => {
  const order: string[] = [];
  const answer = ({ url }: { url: URL }) => {
    order.push(url.search.slice(1));
    return page("Anything");
  };
  const { url } = await site({ "/": answer }, onTestFinished);
  const engine = engineFor({ browser: { maxPages: 1 } }, onTestFinished);
  await engine.scrape({ url, waitFor: 1 });
  const urls = Array.from({ length: 8 }, (_, index) => `${url}/?many${index}`);
  const job = await engine.batchScrape({ urls, waitFor: 500 }, { team: "many" });
  while (order.length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  const begun = order.length;
  await engine.scrape({ url: `${url}/?one`, waitFor: 1 }, { team: "one" });
  expect(order.indexOf("one") - begun).toBeLessThan(2);
  expect((await job.wait()).completed).toBe(8);
});

test.concurrent("pages of a job that wait for a tab have all their time when they get one; a single page is answered in time", async ({
  expect,
  onTestFinished,
}) => {
  const { url } = await site({ "/": page("Anything") }, onTestFinished);
  const engine = engineFor({ browser: { maxPages: 1 } }, onTestFinished);
  await engine.scrape({ url, waitFor: 1 });
  // Together they take longer than each of them may.
  const urls = Array.from({ length: 6 }, (_, index) => `${url}/?${index}`);
  const job = await engine.batchScrape({ urls, waitFor: 2700, timeout: 13_000 }, { team: "many" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const single = engine.scrape({ url, waitFor: 1, timeout: 300 }, { team: "one" });
  await expect(single).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
  expect(await job.wait()).toMatchObject({ completed: 6, total: 6 });
});

test.concurrent("nor does waiting count for a job that asks for the page which another one is waiting for", async ({
  expect,
  onTestFinished,
}) => {
  const { url, requests } = await site({ "/": page("Anything"), "/long": page("Long") }, onTestFinished);
  const engine = engineFor({ browser: { maxPages: 1 } }, onTestFinished);
  const long = engine.scrape({ url: `${url}/long`, waitFor: 12_000, timeout: 60_000 });
  await expect.poll(() => requests.get("/long"), { timeout: 30_000 }).toBe(1);
  const options = { formats: ["markdown" as const, "screenshot" as const], maxAge: 3_600_000, timeout: 9_000 };
  const jobs = [1, 2].map(async () => (await engine.batchScrape({ urls: [url], ...options })).wait());
  expect(await Promise.all(jobs)).toMatchObject([{ completed: 1 }, { completed: 1 }]);
  await long;
  expect(requests.get("/")).toBe(1);
});
