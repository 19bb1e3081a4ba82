/** What a page shows in frames is part of it. */
import { afterAll, expect, test as testInTurn } from "vitest";
import { createEngine } from "../src/index.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

/** These mostly wait for a browser, so they do it together. */
const test = testInTurn.concurrent;

const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
afterAll(() => engine.close());

const inner = `<h2>Inside</h2><a href="next.html">next</a> <a href="#here">here</a> <a href="mailto:a@b.example">mail</a>
  <img alt="dot" src="dot.png"><img alt="set" srcset="small.png 1x, large.png 2x">`;
const routes = {
  "/": page("Outside", ["next.html"]).replace("</main>", '<iframe src="/deep/in/frame.html"></iframe></main>'),
  "/deep/in/frame.html": inner,
};

test("links and pictures of a frame lead to where they lead in the frame", async ({ onTestFinished }) => {
  const { url } = await site(routes, onTestFinished);
  const options = { waitFor: 1, onlyMainContent: false, formats: ["links" as const, "markdown" as const] };
  const { data } = await engine.scrape({ url, ...options });
  const frame = `${url}/deep/in`;
  expect(data.links).toEqual([
    `${url}/next.html`,
    `${frame}/next.html`,
    `${frame}/frame.html#here`,
    "mailto:a@b.example",
  ]);
  expect(data.markdown).toContain(`![dot](${frame}/dot.png)`);
  expect(data.markdown).toContain(`![set](${frame}/large.png)`);
});

const frameset = `<html><head><title>Manual</title></head><frameset cols="20%,80%"><frame name="contents" src="contents.html">
  <frameset rows="*,50"><frame src="chapters/one.html" title="Chapter"><frame src="javascript:''"></frameset>
  <noframes><body>${"Your browser shows no frames, so get another one. ".repeat(20)}</body></noframes></frameset></html>`;
const manual = {
  "/": frameset,
  "/contents.html": '<a href="chapters/two.html">Two</a>',
  "/chapters/one.html": "<h1>One</h1><p>The first chapter of the manual.</p>",
  "/chapters/two.html": "<h1>Two</h1><p>The second chapter of the manual.</p>",
};

test("a page of frames is opened in the browser, and its frames are the page", async ({ onTestFinished }) => {
  const { url } = await site(manual, onTestFinished);
  const { data } = await engine.scrape({ url, formats: ["markdown", "links"] });
  expect(data.metadata).toMatchObject({ title: "Manual", engine: "browser", engineReason: "frames" });
  expect(data.markdown).toBe(`[Two](${url}/chapters/two.html)\n\n# One\n\nThe first chapter of the manual.`);
  expect(data.links).toEqual([`${url}/chapters/two.html`]);
});

test("without a browser it leads to their pages, which a crawl follows", async ({ onTestFinished }) => {
  const { url } = await site(manual, onTestFinished);
  const engine = engineFor({ browser: false }, onTestFinished);
  const { data } = await engine.scrape({ url, formats: ["markdown", "links"] });
  expect(data.links).toEqual([`${url}/contents.html`, `${url}/chapters/one.html`]);
  expect(data.markdown).toContain(`[Chapter](${url}/chapters/one.html)`);
  const job = await engine.crawl({ url });
  expect(paths((await job.wait()).data)).toEqual(["/", "/chapters/one.html", "/chapters/two.html", "/contents.html"]);
});

test("a frame of another host is a link in the page", async ({ onTestFinished }) => {
  const { url: other } = await site({ "/": "<p>elsewhere</p>" }, onTestFinished);
  const { url } = await site(
    {
      "/": `<frameset cols="50%,50%"><frame src="/here"><frame src="${other}/"></frameset>`,
      "/here": "<p>here</p>",
    },
    onTestFinished,
  );
  const { data } = await engine.scrape({ url });
  expect(data.markdown).toContain("here");
  expect(data.markdown).toContain(`(${other}/)`);
});

test("tags to keep or leave out may name frames, as the page does, though a browser has read them", async ({
  onTestFinished,
}) => {
  const frame = '<div id="box">Around <iframe class="small" title="an iframe of it" src="/frame.html"></iframe></div>';
  const { url } = await site(
    {
      "/": page("Outside").replace("</main>", `${frame}</main>`),
      "/frame.html": '<h2>Inside</h2><a href="/next.html">next</a>',
    },
    onTestFinished,
  );
  const scrape = async (tags: object) =>
    (await engine.scrape({ url, waitFor: 1, onlyMainContent: false, ...tags })).data.markdown ?? "";
  expect(await scrape({})).toContain("Inside");
  const tags = ["iframe", "IFRAME.small", "#box > iframe", "p, iframe", "iframe[title='an iframe of it']"];
  const pages = await Promise.all(tags.map((tag) => scrape({ excludeTags: [tag] })));
  for (const [index, left] of pages.entries()) {
    expect(left, tags[index]).not.toContain("Inside");
    expect(left, tags[index]).toContain("Around");
  }
  const kept = await scrape({ includeTags: ["iframe"] });
  expect(kept).toContain("## Inside");
  expect(kept).not.toContain("Around");
  expect(await scrape({ includeTags: ["iframe > a"] })).toBe(`[next](${url}/next.html)`);
});

test("a caller's selectors find frames by the name that the page gives them, and as they stand in its html", async ({
  onTestFinished,
}) => {
  const { url } = await site(
    {
      "/": page("Outside").replace(
        "</main>",
        '<iframe id="ad" src="/ad"></iframe><div><iframe src="/map"></iframe></div></main>',
      ),
      "/ad": "<p>advertisement</p>",
      "/map": '<p>a map</p><a href="/legend">legend</a>',
    },
    onTestFinished,
  );
  const markdown = async (options: object) => (await engine.scrape({ url, waitFor: 1, ...options })).data.markdown;
  expect(await markdown({ excludeTags: ["iframe"] })).not.toMatch(/advertisement|map/);
  expect(await markdown({ excludeTags: ["main > IFRAME"] })).toMatch(/taken for a page(?!.*advertisement).*a map/s);
  expect(await markdown({ excludeTags: ["iframe#ad"] })).toMatch(/taken for a page(?!.*advertisement).*a map/s);
  expect(await markdown({ includeTags: ["iframe > p"] })).toBe("advertisement\n\na map");
  expect(await markdown({ includeTags: ["h1, iframe a"] })).toBe(`# Outside\n\n[legend](${url}/legend)`);
  expect(await markdown({ includeTags: ['div > div[data-original-tag="iframe"] > p'] })).toBe("a map");
});
