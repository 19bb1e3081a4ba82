/** What a crawl leaves out is reported, whichever of its pages told of it first. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

test("links out of a page are reported when a redirect had led to it before it was there", async () => {
  const { url } = await site({
    "/": page("home", ["/old", "/new"]),
    "/old": { status: 301, headers: { location: "/new?utm_source=old" } },
    "/new": ({ url }) => ({
      body: page("new", ["https://elsewhere.example/"]),
      delay: url.searchParams.has("utm_source") ? 0 : 300,
    }),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, ignoreSitemap: true });
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([
    { url: "https://elsewhere.example/", reason: "EXTERNAL" },
  ]);
});

test("the page that the start led to is not among what was left out, however deep the links to it lie", async () => {
  const { url } = await site({
    "/": { status: 302, headers: { location: "/home" } },
    "/home": page("home", ["/a"]),
    "/a": page("a", ["/home", "/b"]),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, ignoreSitemap: true, maxDiscoveryDepth: 1 });
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([{ url: `${url}/b`, reason: "MAX_DISCOVERY_DEPTH" }]);
});
