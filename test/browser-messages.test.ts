import { afterAll, beforeAll, expect, test } from "vitest";
import { createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";

let site: TestSite;
let engine: Engine;

const sentence = "A sentence that stands on the page for everybody to read. ".repeat(6);
const page = (script: string) => `<!doctype html><h1>Page</h1><p>${sentence}</p><script>${script}</script>`;
/** Six characters each on their way out of the browser: more than a string can hold. */
const huge = `"\\u0001".repeat(90e6)`;

beforeAll(async () => {
  site = await startTestSite({
    "/logs": page(`for (let entry = 0; entry < 60; entry += 1) console.log(entry + "x".repeat(20e6));
      document.querySelector("p").append(" " + String(console.log).includes("[native code]") + console.log.name)`),
    "/throws": page(`setTimeout(() => { throw ${huge} })`),
    "/quiet": page("1"),
  });
  engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const render = (path: string) => engine.scrape({ url: `${site.url}${path}`, waitFor: 1000, timeout: 60_000 });

test("a page that has the browser say more than a string can hold ends itself, not the host", async () => {
  await expect(render("/throws")).rejects.toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable: true });
  expect((await render("/quiet")).data.markdown).toContain("A sentence");
}, 120_000);

test("what a page logs does not fill the host's memory", async () => {
  await render("/quiet");
  const before = process.memoryUsage().rss;
  expect((await render("/logs")).data.markdown).toContain("true");
  expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
});
