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
    "/throws": page(`for (let error = 0; error < 30; error += 1) setTimeout(() => { throw error + "x".repeat(10e6) });
      onerror = () => document.querySelector("h1").append(" x")`),
    "/rejects": page(`for (let error = 0; error < 30; error += 1) Promise.reject(error + "x".repeat(10e6));
      onunhandledrejection = () => document.querySelector("h1").append(" x")`),
    "/worker": page(`const says = (what) => new Worker(URL.createObjectURL(new Blob([what])));
      says("for (let entry = 0; entry < 40; entry += 1) console.log(entry + 'x'.repeat(20e6)); throw 'x'.repeat(10e6)");
      says("postMessage(1)").onmessage = () => document.querySelector("h1").append(" x")`),
    "/quiet": page("1"),
  });
  engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const render = (path: string, options: object = {}) =>
  engine.scrape({ url: `${site.url}${path}`, waitFor: 1000, timeout: 60_000, ...options });

test.each([
  ["has its workers say", "/worker", "# Page x"],
  ["logs", "/logs", "true"],
  ["throws", "/throws", "# Page x"],
  ["promises in vain", "/rejects", "# Page x"],
])("what a page %s does not fill the host's memory", async (_, path, says) => {
  await render("/quiet");
  const before = process.memoryUsage().rss;
  expect((await render(path)).data.markdown).toContain(says);
  expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
});

test("a script whose answer is longer than a string can be ends its page, not the host", async () => {
  const answer = render("/quiet", { actions: [{ type: "executeJavascript", script: huge }], timeout: 150_000 });
  await expect(answer).rejects.toMatchObject({ code: expect.stringMatching(/^SCRAPE_(?:SITE|ACTION)_ERROR$/) });
  expect((await render("/quiet")).data.markdown).toContain("A sentence");
});
