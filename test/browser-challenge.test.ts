/** Pages behind a guard that looks at the browser first and then leads on. */
import { afterAll, expect, test as testInTurn } from "vitest";
import { createEngine } from "../src/index.ts";
import type { TestHandler } from "../src/testing/test-site-answer.ts";
import { page, site } from "./start-engine.ts";

/** These mostly wait for a browser, so they do it together. */
const test = testInTurn.concurrent;

const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
afterAll(() => engine.close());

/** Shows its words with this status until the browser has the cookie that its script sets. */
const guarded =
  (status: number, script: string): TestHandler =>
  ({ request, response }) => {
    const passed = /passed=1/.test(request.headers.cookie ?? "");
    response.writeHead(passed ? 200 : status, { "content-type": "text/html" });
    response.end(
      passed
        ? page("Behind the guard")
        : `<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>
           <p>This takes a few seconds. You will be led on by yourself.</p><script>${script}</script></body></html>`,
    );
  };

const setCookie = "document.cookie = 'passed=1; path=/';";
const leadOn = `setTimeout(() => { ${setCookie} location.reload() }, 1500)`;

test.for([403, 503, 200])(
  "a challenge with words and status %i is waited for until it leads on",
  async (status, { onTestFinished }) => {
    const { url } = await site({ "/": guarded(status, leadOn) }, onTestFinished);
    const { data } = await engine.scrape({ url });
    expect(data.markdown).toContain("# Behind the guard");
    expect(data.metadata).toMatchObject({ statusCode: 200, engine: "browser", engineReason: "challenge" });
    expect(data.metadata.error).toBeUndefined();
  },
);

test("one that never leads on is answered as it is, long before the time is up", async ({ onTestFinished }) => {
  const { url } = await site({ "/": guarded(403, "") }, onTestFinished);
  const { data } = await engine.scrape({ url, timeout: 60_000 });
  expect(data.markdown).toContain("# Checking your browser");
  expect(data.metadata).toMatchObject({ statusCode: 403, engine: "browser" });
});

test("actions begin behind it", async ({ onTestFinished }) => {
  const { url } = await site({ "/": guarded(403, leadOn) }, onTestFinished);
  const actions = [{ type: "executeJavascript", script: "document.title" } as const];
  const { data } = await engine.scrape({ url, actions });
  expect(data.actions?.javascriptReturns).toEqual([{ type: "string", value: "Behind the guard" }]);
});
