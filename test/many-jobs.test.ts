/** Thousands of small jobs at once: what each costs does not grow with how many there are. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

// It takes a few seconds. When all jobs were looked at for each of them, it took many minutes.
test("a thousand jobs of one page come to their end", async () => {
  const { url } = await site({ "*": ({ url }) => ({ delay: 20, body: page(url.pathname) }) });
  const engine = engineFor({ browser: false });
  const jobs = await Promise.all(
    Array.from({ length: 1000 }, (_, number) => engine.batchScrape({ urls: [`${url}/${number}`] })),
  );
  const ended = await Promise.all(jobs.map((job) => job.wait()));
  expect(ended.map(({ completed }) => completed)).toEqual(jobs.map(() => 1));
}, 60_000);
