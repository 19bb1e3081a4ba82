/** A page that leads on to where nothing can be had fails as that address does: it is no empty page. */
import { afterAll, beforeAll, expect, test as testInTurn } from "vitest";
import { createEngine, type Engine } from "../src/index.ts";
import { hostile, startTestSite, type TestSite } from "../src/testing/index.ts";
import { engineFor, site as startSite } from "./start-engine.ts";

/** These mostly wait for a browser, so they do it together. */
const test = testInTurn.concurrent;

let site: TestSite;
let engine: Engine;
let gone: string;

const page = (rest: string) => `<h1>Start</h1><p>A page that leads on to another one after a moment.</p>${rest}`;
const leadingTo = (url: string) => page(`<script>setTimeout(() => { location.href = "${url}" }, 50)</script>`);

beforeAll(async () => {
  const closed = await startTestSite({});
  gone = closed.url;
  await closed.close();
  site = await startTestSite({
    "/to-gone": leadingTo(gone),
    "/to-nobody": leadingTo("http://no-such-host.invalid/"),
    "/to-inside": leadingTo("http://127.0.0.2:8080/"),
    "/to-reset": leadingTo("/reset"),
    "/reset": hostile("/reset-before-headers"),
    "/refresh": { headers: { refresh: `0;url=${gone}` }, body: page("") },
    "/by-redirect": leadingTo("/away"),
    "/away": { status: 302, headers: { location: gone } },
    "/link": page(`<a id="on" href="${gone}">on</a><a id="error" href="/error">error</a>`),
    "/error": { status: 500 },
    "/frame": page(`<iframe src="${gone}"></iframe>`),
  });
  engine = createEngine({
    network: {
      allowHosts: ["127.0.0.1"],
      lookup: async () => {
        throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
      },
    },
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const scrape = (path: string, options: object = {}) =>
  engine.scrape({ url: site.url + path, waitFor: 400, timeout: 90_000, ...options }).then(
    ({ data }) => data,
    (error) => error,
  );

test.each([
  ["/to-gone", "SCRAPE_SITE_ERROR"],
  ["/to-nobody", "SCRAPE_DNS_RESOLUTION_ERROR"],
  ["/to-inside", "FORBIDDEN_ADDRESS"],
  ["/to-reset", "SCRAPE_SITE_ERROR"],
  ["/refresh", "SCRAPE_SITE_ERROR"],
  ["/by-redirect", "SCRAPE_SITE_ERROR"],
])("%s: %s", async (path, code) => {
  expect(await scrape(path)).toMatchObject({ code });
});

test("more redirects than the host allows", async ({ expect, onTestFinished }) => {
  const to = (location: string) => ({ status: 302, headers: { location }, body: "" });
  const { url } = await startSite({ "/1": to("/2"), "/2": to("/3"), "/3": "<p>The end</p>" }, onTestFinished);
  const most = (maxRedirects: number) => engineFor({ network: { maxRedirects } }, onTestFinished);
  expect((await most(2).scrape({ url: `${url}/1`, waitFor: 1 })).data.markdown).toBe("The end");
  await expect(most(1).scrape({ url: `${url}/1`, waitFor: 1 })).rejects.toMatchObject({ code: "SCRAPE_SITE_ERROR" });
});

test("an action that leads nowhere", async () => {
  const actions = [{ type: "click", selector: "#on" }];
  expect(await scrape("/link", { actions })).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
});

test("an error status without a page is an answer, and what a frame cannot have is no matter", async () => {
  const actions = [{ type: "click", selector: "#error" }];
  expect((await scrape("/link", { actions })).metadata).toMatchObject({ statusCode: 500, url: `${site.url}/error` });
  expect((await scrape("/frame")).markdown).toContain("Start");
});
