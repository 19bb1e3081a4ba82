/** How an extract job treats the sites of its globs. */
import { expect, test } from "vitest";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const named = { schema: { type: "object", properties: { name: { type: "string" } } }, prompt: "name" } as const;

test("several globs of one site read its first page, robots.txt and sitemap once", async () => {
  const { url, requests } = await site({
    "/": page("Home", ["/blog/1", "/docs/1"]),
    "/robots.txt": { body: "User-agent: *\nDisallow: /nothing" },
    "/sitemap.xml": ({ url }) => ({
      headers: { "content-type": "application/xml" },
      body: `<urlset><url><loc>${url.origin}/blog/2</loc></url><url><loc>${url.origin}/docs/2</loc></url></urlset>`,
    }),
    "*": ({ url }) => page(url.pathname),
  });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  const job = await engine.extract({ urls: [`${url}/blog/*`, `${url}/docs/*`], ...named });
  expect(await job.wait()).toMatchObject({ status: "completed" });
  const read = ["/", "/robots.txt", "/sitemap.xml", "/blog/1", "/blog/2", "/docs/1", "/docs/2"];
  expect(read.map((path) => [path, requests.get(path)])).toEqual(read.map((path) => [path, 1]));
});

test("the page at which a glob's site is entered is fetched once, for its links and for its content", async () => {
  const { url, requests } = await site({ "/": page("Home", ["/more"]), "*": ({ url }) => page(url.pathname) });
  const read: string[] = [];
  const model = fakeModel(({ prompt }) => {
    read.push(prompt);
    return { name: "Kettle" };
  });
  const job = await engineFor({ model }).extract({ urls: [`${url}/*`], ...named });
  expect(await job.wait()).toMatchObject({ status: "completed", data: { name: "Kettle" } });
  expect([requests.get("/"), requests.get("/more")]).toEqual([1, 1]);
  expect(read.some((prompt) => prompt.includes("says enough about Home"))).toBe(true);
});

test("a page that the request names is read at that address, not where a glob's site was entered in another spelling", async () => {
  const { url, requests } = await site({ "/a": page("Named"), "/a/": page("Folder") });
  const read: string[] = [];
  const model = fakeModel(({ prompt }) => {
    read.push(prompt);
    return { name: "Kettle" };
  });
  const job = await engineFor({ model }).extract({ urls: [`${url}/a/*`, `${url}/a`], ...named });
  expect(await job.wait()).toMatchObject({ status: "completed", data: { name: "Kettle" } });
  expect(requests.get("/a")).toBe(1);
  expect(read.some((prompt) => prompt.includes("says enough about Named"))).toBe(true);
});

test("the Crawl-delay of robots.txt is kept between the pages that an extract finds", async () => {
  const times: number[] = [];
  const { url } = await site({
    "/": page("Home", ["/a/1", "/a/2", "/a/3"]),
    "/robots.txt": { body: "User-agent: *\nCrawl-delay: 0.3" },
    "*": ({ url }) => {
      if (url.pathname.startsWith("/a/") && url.pathname.length > 3 && !url.pathname.endsWith("xml"))
        times.push(performance.now());
      return page(url.pathname);
    },
  });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  const job = await engine.extract({ urls: [`${url}/a/1`, `${url}/a/*`], ...named });
  expect(await job.wait()).toMatchObject({ status: "completed" });
  expect(times).toHaveLength(3);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(290);
});

test("pages that were named are read without delay", async () => {
  const { url } = await site({
    "/robots.txt": { body: "User-agent: *\nCrawl-delay: 30" },
    "*": ({ url }) => page(url.pathname),
  });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  const job = await engine.extract({ urls: [`${url}/1`, `${url}/2`], ...named });
  expect(await job.wait()).toMatchObject({ status: "completed" });
});

test.each([
  ["respect", ["/blog/listed"]],
  ["ignore", ["/blog/hidden", "/blog/listed"]],
] as const)("the sitemaps that robots.txt names are read (%s)", async (robots, read) => {
  const { url, requests } = await site({
    "/robots.txt": ({ url }) => ({
      body: `User-agent: *\nDisallow: /blog/hidden\nSitemap: ${url.origin}/maps/all.txt`,
    }),
    "/maps/all.txt": ({ url }) => ({ body: `${url.origin}/blog/listed\n${url.origin}/blog/hidden` }),
    "/blog/listed": page("Listed"),
    "/blog/hidden": page("Hidden"),
    "*": { status: 404 },
  });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }), robots });
  const job = await engine.extract({ urls: [`${url}/blog/*`], ...named });
  expect(await job.wait()).toMatchObject({ status: "completed" });
  expect([...requests.keys()].filter((path) => /^\/blog\/[a-z]+$/.test(path)).sort()).toEqual(read);
});

test("a site's home page that robots.txt disallows is not read for its links", async () => {
  const { url, requests } = await site({
    "/robots.txt": { body: "User-agent: *\nDisallow: /$" },
    "/": page("Home", ["/p/2"]),
    "/p/": page("Pots", ["/p/1"]),
    "*": ({ url }) => page(url.pathname),
  });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  const job = await engine.extract({ urls: [`${url}/p/*`], ...named, ignoreSitemap: true });
  expect(await job.wait()).toMatchObject({ status: "completed" });
  expect(["/", "/p/1", "/p/2"].map((path) => requests.get(path) ?? 0)).toEqual([0, 1, 0]);
});
