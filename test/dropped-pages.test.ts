/** Pages that do not belong to the result, and pages that are found late, do not hold up a job. */
import { expect, test } from "vitest";
import { engineFor, page, paths, site } from "./start-engine.ts";

test("a reader is not taken for slow because of pages that are left out", async () => {
  const doubles = Array.from({ length: 40 }, (_, number) => `/double/${number}`);
  const { url } = await site({
    "/": page("home", [...doubles, "/last"]),
    "/last": page("last"),
    "/same": page("same"),
    "*": { status: 302, headers: { location: "/same" } },
  });
  const engine = engineFor({ browser: false });
  const job = await engine.crawl({ url, maxConcurrency: 2, ignoreSitemap: true });
  const read = await Array.fromAsync(job);
  expect(paths(read)).toEqual(["/", "/last", "/same"]);
}, 10_000);

test("each page of a chain follows on the one before at once", async () => {
  const next = (number: number) => (number < 20 ? [`/${number + 1}`] : []);
  const { url } = await site({ "*": ({ url }) => page(url.pathname, next(Number(url.pathname.slice(1)))) });
  const begun = performance.now();
  const job = await engineFor({ browser: false }).crawl({
    url: `${url}/0`,
    crawlEntireDomain: true,
    ignoreSitemap: true,
  });
  expect((await job.wait()).completed).toBe(21);
  // A worker that asks for pages only with its heartbeat asks every four seconds: for all of them that is more than a minute.
  expect(performance.now() - begun).toBeLessThan(40_000);
});
