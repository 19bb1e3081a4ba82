/** Pages that name a script or a style sheet whose server says nothing: they are read, pictured and acted on without it. */
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Action, createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestRoutes, type TestSite } from "../src/testing/index.ts";

const silent = createServer((socket) => socket.on("error", () => {}));
let site: TestSite;
let engine: Engine;
/** The slowest of these pages take half of it. */
const timeout = 30_000;
const click: Action = { type: "click", selector: "h1" };

const sentence = "A sentence that readers of the page are to see, with a few words more than most.";
const page = (head: string, middle = "") =>
  `<!doctype html><html><head><title>Page</title>${head}</head>
   <body><h1>Title</h1><p>${sentence}</p>${middle}<p>The end.</p></body></html>`;

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const dead = `127.0.0.1:${(silent.address() as { port: number }).port}`;
  const pages: TestRoutes = {
    "/script-before": page(`<script src="http://${dead}/"></script>`),
    "/script-between": page("", `<script src="http://${dead}/"></script>`),
    "/script-over-tls": page(`<script src="https://${dead}/"></script>`),
    "/script-of-no-host": page('<script src="https://no-answer.test/"></script>'),
    "/style-before-script": page(`<link rel="stylesheet" href="http://${dead}/"><script>1</script>`),
    "/style": page(`<link rel="stylesheet" href="http://${dead}/">`),
    "/request-within-script": page(
      `<script>const r = new XMLHttpRequest(); r.open("GET", "http://${dead}/", false); try { r.send() } catch {}</script>`,
    ),
    "/script-before-another": page(
      `<script defer src="http://${dead}/"></script><script defer src="/app.js"></script>`,
      '<div id="app"></div>',
    ),
    "/to-style": page("", '<a id="on" href="/style">On</a>'),
    "/app.js": {
      headers: { "content-type": "text/javascript" },
      body: `document.querySelector("#app").innerHTML = "<p>Made by the second script.</p>"`,
    },
    "/streams": async (exchange) => {
      exchange.response.setHeader("content-type", "text/html");
      exchange.response.write(page("").replace("</body></html>", ""));
      while (!exchange.signal.aborted) {
        exchange.response.write("<p>more</p>");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
  site = await startTestSite(pages);
  engine = createEngine({
    // None of the pages waits for another's tab, of which there are few on small machines.
    browser: { maxPages: 12 },
    network: {
      allowHosts: ["127.0.0.1"],
      async lookup(name) {
        if (name === "no-answer.test") await new Promise(() => {});
        return [{ address: "127.0.0.1", family: 4 as const }];
      },
    },
  });
});
afterAll(async () => {
  await engine.close();
  silent.close();
  await site.close();
});

test("the page is whole without what does not come, and says so", async () => {
  const paths = [
    "/script-before",
    "/script-between",
    "/script-over-tls",
    "/script-of-no-host",
    "/style-before-script",
    "/request-within-script",
    "/script-before-another",
  ];
  const results = await Promise.all(
    paths.map(async (path) => (await engine.scrape({ url: site.url + path, waitFor: 1, timeout })).data),
  );
  for (const [index, { markdown, warning }] of results.entries()) {
    expect(markdown, paths[index]).toContain("The end.");
    // To look a name up takes ten seconds at most: then nothing has to be broken off.
    if (paths[index] !== "/script-of-no-host") expect(warning, paths[index]).toContain("the page without it");
  }
  expect(results.at(-1)?.markdown).toContain("Made by the second script.");
});

test.concurrent("what is not drawn while a style sheet does not come is pictured and clicked", async () => {
  const url = `${site.url}/style`;
  const [pictured, clicked, read] = await Promise.all([
    engine.scrape({ url, formats: ["screenshot@fullPage"], timeout }),
    engine.scrape({ url, actions: [click, { type: "screenshot" }], timeout }),
    engine.scrape({ url, waitFor: 1, timeout }),
  ]);
  expect(pictured.data.screenshot).toMatch(/^data:image\/png/);
  expect(clicked.data.actions?.screenshots).toHaveLength(1);
  expect(read.data.warning).toBeUndefined();
});

test.concurrent("a page that streams without end is not waited for again after each action", async () => {
  // Each of them would be waited for for three seconds.
  const actions = Array.from({ length: 12 }, () => click);
  const { data } = await engine.scrape({ url: `${site.url}/streams`, actions, timeout: 33_000 });
  expect(data.warning).toContain("did not load to its end");
});

test.concurrent("what an action leads to is pictured without what does not come", async () => {
  const actions: Action[] = [{ type: "click", selector: "#on" }, { type: "screenshot" }, { type: "scrape" }];
  const { data } = await engine.scrape({ url: `${site.url}/to-style`, actions, timeout });
  expect(data.actions?.screenshots).toEqual([expect.stringMatching(/^data:image\/png/)]);
  expect(data.actions?.scrapes).toMatchObject([{ url: `${site.url}/style`, html: expect.stringContaining(sentence) }]);
});
