/** Pages that send their readers on with `<meta http-equiv="refresh">` lead on over HTTP too, as redirects do. */
import { expect, test } from "vitest";
import type { ScrapeOptions } from "../src/index.ts";
import type { TestRoutes } from "../src/testing/test-site-answer.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

const stub = (content: string, rest = "Moved. <a href='/new'>Go on</a>") =>
  `<!doctype html><html><head><title>Moved</title><meta http-equiv="refresh" content="${content}"></head><body>${rest}</body></html>`;
const long = `<p>${"A page that says something by itself before it leads on. ".repeat(10)}</p>`;

async function led(start: string, routes: TestRoutes) {
  const { url, requests } = await site({ "/new": page("new"), ...routes });
  const engine = engineFor({ browser: false });
  const { data } = await engine.scrape({ url: url + start, formats: ["markdown", "rawHtml"] });
  return { data, requests, url, path: data.metadata.url?.replace(url, "") };
}

test.each<[string, string]>([
  ["the usual form", stub("0;url=/new")],
  ["with a second to wait", stub("1; URL='/new'")],
  ["without `url=`", stub("0, /new")],
  ["beside a number of hundreds of digits", `<meta name=x content="&#${"9".repeat(400)};">${stub("0;url=/new")}`],
  ["a quote within quotes, white space, capitals", stub(" 0 ; Url = &quot;/new&quot; and more")],
  ["an entity in the address", stub("0;url=/&#110;ew")],
  ["without quotes, in the body, closed", `<BODY><META CONTENT=0;URL=/new HTTP-EQUIV=Refresh />`],
  ["under a base", `<base href="/deep/er/"><meta http-equiv="refresh" content="0;url=../../new">`],
  [
    "by the first base",
    `<base href="/deep/er/"><base href="/x/y/z/"><meta http-equiv="refresh" content="0;url=../../new">`,
  ],
  ["by the first of an attribute", `<meta http-equiv="refresh" content="0;url=/new" content="0;url=/other">`],
  ["behind scripts and comments", `<!-- <p> --><script>"<meta>"</script><style>a{}</style>${stub("0;url=/new")}`],
])("is followed: %s", async (_, html) => {
  const { data, path, url } = await led("/old", { "/old": html });
  expect(path).toBe("/new");
  expect(data.markdown).toContain("# new");
  expect(data.metadata).toMatchObject({ sourceURL: `${url}/old`, statusCode: 200, title: "new" });
});

test.each<[string, TestRoutes[string]]>([
  ["a page with text of its own", stub("0;url=/new", long)],
  [
    "a page with text of its own after a long style",
    stub("0;url=/new", `<style>${"a{b:c}".repeat(2000)}</style>${long}`),
  ],
  ["two seconds or more to read it", stub("2;url=/new")],
  ["no address: the page loads itself again", stub("0")],
  ["no delay", stub("url=/new")],
  ["a delay that goes on as a word", stub("0s;url=/new")],
  ["an address that is none of the web", stub("0;url=javascript:alert(1)")],
  ["in a comment", `<!-- ${stub("0;url=/new")} --><p>Kept.</p>`],
  ["in a script", `<script>document.write('<meta http-equiv="refresh" content="0;url=/new">')</script><p>Kept.</p>`],
  [
    "for readers without scripts only",
    `<noscript><meta http-equiv="refresh" content="0;url=/new"></noscript><p>Kept.</p>`,
  ],
  ["another kind of meta", `<meta name="refresh" content="0;url=/new"><p>Kept.</p>`],
  ["a page that is not found", { status: 404, body: stub("0;url=/new") }],
  ["no page", { headers: { "content-type": "text/plain" }, body: stub("0;url=/new") }],
])("is not followed: %s", async (_, answer) => {
  const { path } = await led("/old", { "/old": answer });
  expect(path).toBe("/old");
});

test.each<[what: string, refresh: string, body: string, path: string]>([
  ["without a body", "0; url=/new", "", "/new"],
  ["before what the page says", "0;url=new", stub("0;url=/else", "<base href='/deep/er/'>"), "/new"],
  ["not from a page with text of its own", "0;url=/new", long, "/old"],
  ["not after a while", "5;url=/new", "", "/old"],
])("a header says the same: %s", async (_, refresh, body, path) => {
  const old = { headers: { "content-type": "text/html", refresh }, body };
  expect((await led("/old", { "/old": old })).path).toBe(path);
});

test("several, mixed with redirects, with the cookies that were set on the way", async () => {
  const { path, data } = await led("/a", {
    "/a": { headers: { "set-cookie": "seen=yes; path=/" }, body: stub("0;url=/b") },
    "/b": { status: 302, headers: { location: "/c" } },
    "/c": stub("0;url=/d?x=1&amp;y=2"),
    "/d": ({ request: { headers }, url }) => ({ body: page(`${headers["cookie"]} ${url.search}`) }),
  });
  expect(path).toBe("/d?x=1&y=2");
  expect(data.markdown).toContain("# seen=yes ?x=1&y=2");
});

test("a page that wants its cookie back is asked again, one that only loads itself is not", async () => {
  const { data, requests } = await led("/check", {
    "/check": ({ request: { headers } }) =>
      headers["cookie"] === undefined
        ? { headers: { "set-cookie": "passed=1" }, body: stub("0;url=/check") }
        : { body: page("passed") },
  });
  expect(data.markdown).toContain("# passed");
  expect(requests.get("/check")).toBe(2);
  const again = await led("/again", { "/again": stub("1;url=/again", "<p>Status: fine.</p>") });
  expect([again.data.markdown, again.requests.get("/again")]).toEqual(["Status: fine.", 1]);
});

test("a circle ends at the page before its beginning, an endless way at the bound of redirects", async () => {
  const circle = await led("/a", { "/a": stub("0;url=/b"), "/b": stub("0;url=/c"), "/c": stub("0;url=/a") });
  expect(circle.path).toBe("/c");
  const { url, requests } = await site({
    "*": ({ url: at }) => ({ body: stub(`0;url=/${Number(at.pathname.slice(1)) + 1}`) }),
  });
  const engine = engineFor({ browser: false, network: { maxRedirects: 3 } });
  await expect(engine.scrape({ url: `${url}/0` })).rejects.toMatchObject({
    code: "SCRAPE_SITE_ERROR",
    message: expect.stringContaining("more than 3"),
  });
  expect(requests.size).toBe(4);
});

test("where no redirects are followed, it is not followed either", async () => {
  const { url, requests } = await site({ "/old": stub("0;url=/new"), "/new": page("new") });
  const engine = engineFor({ browser: false, network: { maxRedirects: 0 } });
  const { data } = await engine.scrape({ url: `${url}/old` });
  expect(data.metadata.url).toBe(`${url}/old`);
  expect(requests.has("/new")).toBe(false);
});

test("a crawl does not follow it where robots.txt forbids", async () => {
  const { url, requests } = await site({
    "/robots.txt": "User-agent: *\nDisallow: /private",
    "/": page("home", ["/old"]),
    "/old": stub("0;url=/private/new"),
    "/private/new": page("new"),
  });
  const engine = engineFor({ browser: false });
  const job = await engine.crawl({ url });
  expect(paths((await job.wait()).data)).toEqual(["/"]);
  expect((await engine.getCrawlErrors(job.id)).robotsBlocked).toEqual([`${url}/old`]);
  expect(requests.has("/private/new")).toBe(false);
});

test("the guard decides about every address", async () => {
  const secret = await site({ "/": page("secret") });
  const { url } = await site({ "/": stub(`0;url=${secret.url.replace("127.0.0.1", "127.0.0.2")}/`) });
  await expect(engineFor().scrape({ url })).rejects.toMatchObject({ code: "FORBIDDEN_ADDRESS" });
  expect(secret.requests.size).toBe(0);
});

test("the caller's headers stay with their origin", async () => {
  const other = await site({ "/": ({ request: { headers } }) => ({ body: page(`token ${headers["x-token"]}`) }) });
  const { url } = await site({ "/": stub(`0;url=${other.url}/`) });
  const { data } = await engineFor().scrape({ url, headers: { "x-token": "abc" } });
  expect(data.markdown).toContain("# token undefined");
});

test("a hostile head is read in time that grows with its length only", async () => {
  const attributes = `<meta ${"a=' ".repeat(499)} http-equiv=refresh content='0;${" ".repeat(2000)}`;
  const { url } = await site({
    "/tags": `${"<meta http-equiv=refresh ".repeat(100_000)}`,
    "/open": `${"<script>".repeat(100_000)} refresh`,
    "/attributes": attributes.repeat(1000),
    "/comments": `refresh ${"<!--".repeat(100_000)}`,
  });
  const engine = engineFor({ browser: false });
  for (const path of ["/tags", "/open", "/attributes", "/comments"]) {
    const begun = performance.now();
    await engine.scrape({ url: url + path, formats: ["rawHtml"] });
    expect(performance.now() - begun).toBeLessThan(10_000);
  }
});

test("a crawl begins where its start leads", async () => {
  const { url } = await site({ "/": stub("0;url=/en/"), "/en/": page("home", ["a", "/"]), "/en/a": page("a") });
  const status = await (await engineFor({ browser: false }).crawl({ url })).wait();
  expect(status.status).toBe("completed");
  expect(paths(status.data)).toEqual(["/en/", "/en/a"]);
});

test("a browser follows it as ever", async () => {
  const { url } = await site({ "/old": stub("0;url=/new"), "/new": page("new") });
  const { data } = await engineFor().scrape({ url: `${url}/old`, waitFor: 1 });
  expect(data.markdown).toContain("# new");
});

test("a browser waits a second for where it leads, as it is followed without one", async () => {
  const { url } = await site({
    "/old": stub("1;url=/older"),
    "/older": { headers: { refresh: "1; url=/new" }, body: "<p>Moved</p>" },
    "/form": `<a href="/old">Log in</a>${long}`,
    "/new": page("new"),
    "/read": stub("2;url=/new"),
    "/nowhere": stub("1;url=javascript:alert(1)"),
  });
  const engine = engineFor();
  const scrape = async (path: string, options: ScrapeOptions) =>
    (await engine.scrape({ url: url + path, waitFor: 1, ...options })).data.markdown;
  const click = [
    { type: "click" as const, selector: "a" },
    { type: "wait" as const, milliseconds: 1 },
  ];
  const pages = [scrape("/old", {}), scrape("/form", { actions: click })];
  for (const markdown of await Promise.all(pages)) expect(markdown).toContain("# new");
  for (const path of ["/read", "/nowhere"]) expect(await scrape(path, {})).toContain("Moved");
});

test("a page that leads to a file or to a place in itself keeps time for its actions", async () => {
  const { url } = await site({
    "/file": stub("0;url=/file.csv"),
    "/file.csv": {
      headers: { "content-type": "text/csv", "content-disposition": "attachment; filename=a.csv" },
      body: "a,b\n1,2\n",
    },
    "/place": stub("0;url=#main"),
  });
  const engine = engineFor();
  const actions = Array.from({ length: 5 }, () => ({ type: "scroll" as const }));
  const scrape = async (path: string) =>
    (await engine.scrape({ url: url + path, actions, timeout: 15_000 })).data.markdown;
  const [file, place] = await Promise.all(["/file", "/place"].map(scrape));
  expect(file).toContain("1,2");
  expect(place).toContain("Moved");
});
