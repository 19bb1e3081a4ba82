/** How many pages are at work: as many as the processor needs, whatever they wait for. */
import { expect, test } from "vitest";
import { engineFor, page, paths, site } from "./start-engine.ts";

const numbered = (url: string, count: number) =>
  Array.from({ length: count }, (_, index) => new URL(`/${index}`, url).href);

test("after many quick pages, slow ones neither stop the others nor are lost", async () => {
  const text = page("quick", numbered("https://example.com/", 60));
  const quick = await site({ "*": text });
  const answered = Promise.withResolvers<string>();
  const slow = await site({ "*": () => answered.promise });
  const engine = engineFor();
  // So many that fewer are at work at once by their end.
  expect((await engine.batchScrape({ urls: numbered(quick.url, 2000) }).then((job) => job.wait())).completed).toBe(
    2000,
  );
  const waiting = await engine.batchScrape({ urls: numbered(slow.url, 16) });
  await expect.poll(() => slow.requests.size).toBeGreaterThan(3);
  const going = await engine.batchScrape({ urls: numbered(quick.url, 200) });
  expect((await going.wait()).completed).toBe(200);
  answered.resolve(text);
  const { data } = await waiting.wait();
  expect(paths(data)).toHaveLength(16);
});
