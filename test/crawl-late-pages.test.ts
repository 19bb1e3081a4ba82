/** What a site's program adds to each page (forms, versions, orders, feeds) is taken after the pages themselves. */
import { expect, test } from "vitest";
import { isLateUrl } from "../src/frontier/late-urls.ts";
import { memoryStorage } from "../src/index.ts";
import type { TestRoutes } from "../src/testing/test-site-answer.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

/** The addresses of a crawl's pages within their site, in order. */
async function crawled(routes: TestRoutes, limit: number): Promise<string[]> {
  const { url } = await site(routes);
  const status = await (await engineFor().crawl({ url, limit, maxConcurrency: 1 })).wait();
  return status.data.map(({ metadata }) => metadata.sourceURL?.replace(url, "") || "/");
}

/** The links that the program of a wiki adds to a page. */
const around = (name: string): string[] => [
  `/w?title=${name}&amp;action=edit`,
  `/w?title=${name}&amp;action=history`,
  `/w?title=${name}&amp;oldid=7`,
  `/User:SignIn?returnto=${name}`,
];

test("a limit is spent on the pages, not on what can be done with each of them", async () => {
  const routes = {
    "/": page("home", [...around("home"), "/sand", "/clay"]),
    "/sand": page("sand", [...around("sand"), "/loam"]),
    "/clay": page("clay", around("clay")),
    "/loam": page("loam", around("loam")),
    "*": page("a form"),
  };
  expect(await crawled(routes, 4)).toEqual(["/", "/sand", "/clay", "/loam"]);
  expect((await crawled(routes, 99)).length).toBe(20);
});

test("links that say nofollow come last, unless another link leads there", async () => {
  const marked = (href: string) => `<a rel="external NoFollow" href="${href}">${href}</a>`;
  const routes = {
    "/": page("home", ["/sand"]) + marked("/tools") + marked("/sand"),
    "/sand": page("sand", ["/loam"]),
    "*": page("more"),
  };
  expect(await crawled(routes, 9)).toEqual(["/", "/sand", "/loam", "/tools"]);
});

test("so do the links of a page that says so of all of them", async () => {
  const routes = {
    "/": page("home", ["/tools", "/sand"]),
    "/tools": `<meta name="ROBOTS" content="noindex,NOFOLLOW">${page("tools", ["/one", "/two"])}`,
    "/sand": page("sand", ["/loam"]),
    "*": page("more"),
  };
  expect(await crawled(routes, 9)).toEqual(["/", "/tools", "/sand", "/loam", "/one", "/two"]);
});

test("what only a late page leads to comes before the rest of them", async () => {
  const orders = Array.from({ length: 40 }, (_, at) => `/list?sort=${at}`);
  const routes = { "/": page("home", ["/feed", ...orders]), "/feed": page("feed", ["/sand"]), "*": page("more") };
  const all = await crawled(routes, 99);
  expect(all.slice(0, 2)).toEqual(["/", "/feed"]);
  expect(all).toHaveLength(43);
  expect(all.indexOf("/sand")).toBeLessThan(20);
});

test("what the sitemap lists is not late, also if it looks so", async () => {
  const routes = {
    "/": page("home", ["/register", "/feed"]),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>${url.origin}/feed</loc></url></urlset>`,
    "*": page("more"),
  } satisfies TestRoutes;
  expect(await crawled(routes, 2)).toEqual(["/", "/feed"]);
});

test("thousands of late URLs leave room for pages", async () => {
  const orders = Array.from({ length: 3000 }, (_, at) => `/list?sort=${at}`);
  const routes = { "/": page("home", [...orders, "/sand"]), "/sand": page("sand", ["/clay"]), "*": page("more") };
  expect(await crawled(routes, 3)).toEqual(["/", "/sand", "/clay"]);
});

test("late URLs that many pages meet at the same time are counted once", async () => {
  const count = 50;
  const storage = memoryStorage();
  const { completePage } = storage.jobs;
  const met = Promise.withResolvers<void>();
  let completing = 0;
  storage.jobs.completePage = async (...call) => {
    // The start comes first.
    if (completing++ === count) met.resolve();
    if (completing > 1) await met.promise;
    return completePage(...call);
  };
  const pages = Array.from({ length: count }, (_, at) => `/p/${at}`);
  const orders = Array.from({ length: 15 }, (_, at) => `/list?sort=${at}`);
  const more = Array.from({ length: 20 }, (_, at) => `/more?sort=${at}`);
  const { url } = await site({
    "/": page("home", pages),
    "/list": page("list", more),
    "/more": page("more"),
    "*": page("a page", orders),
  });
  const engine = engineFor({ storage, limits: { maxConcurrency: count, maxConcurrencyPerHost: count } });
  const job = await engine.crawl({ url, limit: 100, ignoreSitemap: true });
  const status = await job.wait();
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([]);
  expect(status.total).toBe(1 + count + orders.length + more.length);
});

test("late pages that an engine leaves behind are taken by the one that goes on", async () => {
  const storage = memoryStorage();
  const isReached = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const { url } = await site({
    "/": page("home", ["/register", "/feed", "/sand"]),
    "/sand": async () => {
      isReached.resolve();
      await leave.promise;
      return page("sand");
    },
    "*": page("more"),
  });
  const first = engineFor({ storage });
  const { id } = await first.crawl({ url, limit: 9, ignoreSitemap: true });
  await isReached.promise;
  await first.close();
  leave.resolve();
  const second = engineFor({ storage });
  await second.resume();
  await expect.poll(async () => (await second.getCrawlStatus(id)).status, { timeout: 20_000 }).toBe("completed");
  expect(paths((await second.getCrawlStatus(id)).data)).toEqual(["/", "/feed", "/register", "/sand"]);
});

test.each([
  ["/w?title=Clay&action=edit", true],
  ["/doc?id=clay&do=export_pdf", true],
  ["/list?page=2&order_by=price", true],
  ["/posts/12/edit", true],
  ["/?p=mill;a=snapshot;sf=tgz", true],
  ["/wp-login.php", true],
  ["/Account/ForgotPassword.aspx?ReturnUrl=%2F", true],
  ["/wiki/Special:CreateAccount", true],
  ["/users/sign_in", true],
  ["/blog/feed/", true],
  ["/issues.atom", true],
  ["/my-account", true],
  ["/", false],
  ["/page/2", false],
  ["/list?page=2", false],
  ["/how-to-register-a-trademark", false],
  ["/docs/login-flows", false],
  ["/sign-language", false],
  ["/user/edith", false],
  ["/q?view=month&action=read", false],
  ["/article?id=history", false],
])("%s: %s", (path, isLate) => {
  expect(isLateUrl(`https://example.com${path}`)).toBe(isLate);
});

test("what each page opens over itself is no page of its own, other than the routes of an application", async () => {
  const over = (path: string) => ["#/sign-up", "#/share"].map((route) => path + route);
  const routes = {
    "/": page("home", [...over("/"), "/sand", "/clay", "/loam"]),
    "/sand": page("sand", over("/sand")),
    "/clay": page("clay", over("/clay")),
    "/loam": page("loam", [...over("/loam"), "/app"]),
    "/app": page("app", ["/app#/users", "/app#/teams", "/app#!help"]),
  };
  const all = await crawled(routes, 99);
  expect(all.slice(0, 5)).toEqual(["/", "/sand", "/clay", "/loam", "/app"]);
  expect(all.filter((path) => path.includes("/app#"))).toHaveLength(3);
  expect(all.filter((path) => path.endsWith("#/share")).sort()).toEqual(["/#/share", "/sand#/share"]);
});

test("the sections of a page with a route are no pages, what the same parameter names otherwise is", async () => {
  const app = `<title>Mills</title><div id="app"></div><script>
    const show = () => {
      const [, name = "home"] = /^#\\/(\\w+)/.exec(location.hash) ?? [];
      document.querySelector("#app").innerHTML = "<h1>" + name + "</h1><h2 id='its parts'>Parts</h2><p>" + "The miller says so. ".repeat(20) + "</p>" +
        "<a href='#/stones'>Stones</a> <a href='#/sails'>Sails</a> <a href='#/" + (name === "home" ? "" : name) + "?id=its%20parts'>Parts</a> <a href='#/stones?id=7'>Number 7</a>";
    };
    addEventListener("hashchange", show);
    show();
  </script>`;
  const all = await crawled({ "/": app }, 20);
  expect(all.sort()).toEqual(["/", "/#/sails", "/#/stones", "/#/stones?id=7"]);
});
