/** One team's rendered pages do not keep another's waiting. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

test("a single page of one team gets a tab after one page of another team's many", async () => {
  const order: string[] = [];
  const answer = ({ url }: { url: URL }) => {
    order.push(url.search.slice(1));
    return page("Anything");
  };
  const { url } = await site({ "/": answer });
  const engine = engineFor({ browser: { maxPages: 1 } });
  await engine.scrape({ url, waitFor: 1 });
  const urls = Array.from({ length: 12 }, (_, index) => `${url}/?many${index}`);
  const job = await engine.batchScrape({ urls, waitFor: 500 }, { team: "many" });
  while (order.length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  const begun = order.length;
  await engine.scrape({ url: `${url}/?one`, waitFor: 1 }, { team: "one" });
  expect(order.indexOf("one") - begun).toBeLessThan(2);
  expect((await job.wait()).completed).toBe(12);
});

test("pages of a job that wait for a tab have all their time when they get one; a single page is answered in time", async () => {
  const { url } = await site({ "/": page("Anything") });
  const engine = engineFor({ browser: { maxPages: 1 } });
  await engine.scrape({ url, waitFor: 1 });
  const urls = Array.from({ length: 12 }, (_, index) => `${url}/?${index}`);
  const job = await engine.batchScrape({ urls, waitFor: 1000, timeout: 6000 }, { team: "many" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const single = engine.scrape({ url, waitFor: 1, timeout: 300 }, { team: "one" });
  await expect(single).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
  expect(await job.wait()).toMatchObject({ completed: 12, total: 12 });
}, 60_000);
