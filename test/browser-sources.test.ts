import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { findBrowser } from "../src/fetch/browser/find-browser.ts";
import { launchFlags } from "../src/fetch/browser/launch-flags.ts";
import { openBrowser } from "../src/fetch/browser/running-browser.ts";
import { startTestSite } from "../src/testing/index.ts";
import { failure } from "./failure.ts";
import { engineFor, site } from "./start-engine.ts";

const sentence = "Written by a script, for a reader. ".repeat(10);
const app = `<div id="root"></div><script>root.innerHTML = "<p>${sentence}</p>"</script>`;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
async function launchOptions() {
  const found = findBrowser();
  if (found?.kind !== "launch" || !found.executablePath) throw new Error("The tests need a browser");
  return {
    executablePath: await found.executablePath(),
    args: [...found.flags],
    chromiumSandbox: process.getuid?.() !== 0,
  };
}

test("a browser that the caller owns is used and left running, its traffic guarded", async () => {
  const browser = await chromium.launch(await launchOptions());
  onTestFinished(() => browser.close());
  const { url } = await site({ "/": app });
  const engine = engineFor({ browser: { browser } });
  expect((await engine.scrape({ url })).data.markdown).toContain("Written by a script");
  expect(await failure(engine.scrape({ url: url.replace("127.0.0.1", "127.0.0.2"), waitFor: 1 }))).toMatchObject({
    code: "FORBIDDEN_ADDRESS",
  });
  await engine.close();
  expect(browser.isConnected()).toBe(true);
  expect(browser.contexts()).toEqual([]);
});

test("a browser of the caller's that has been closed is named, and needed by no page that can do without", async () => {
  const browser = await chromium.launch(await launchOptions());
  const { url } = await site({ "/": app, "/plain": `<h1>Plain</h1><p>${sentence}</p>` });
  const engine = engineFor({ browser: { browser } });
  expect((await engine.scrape({ url, waitFor: 1 })).data.metadata.engine).toBe("browser");
  await browser.close();
  expect(await failure(engine.scrape({ url, waitFor: 1 }))).toMatchObject({
    code: "UNSUPPORTED",
    statusCode: 501,
    message: expect.stringContaining("browser.browser has been closed"),
  });
  expect((await engine.scrape({ url: `${url}/plain` })).data.metadata.engine).toBe("http");
});

test.each(["a Playwright server", "a debugging port"])("%s as the endpoint", async (kind) => {
  const options = await launchOptions();
  let endpoint: string;
  if (kind === "a Playwright server") {
    const server = await chromium.launchServer(options);
    onTestFinished(() => server.close());
    endpoint = server.wsEndpoint();
  } else {
    const browser = await chromium.launch({ ...options, args: [...options.args, "--remote-debugging-port=0"] });
    onTestFinished(() => browser.close());
    endpoint = `http://127.0.0.1:${await debuggingPort()}`;
  }
  const { url } = await site({ "/": app });
  const engine = engineFor({ browser: { endpoint } });
  expect((await engine.scrape({ url })).data.markdown).toContain("Written by a script");
  await engine.close();
});

/** The port that a child of this process has been given. */
async function debuggingPort(): Promise<number> {
  for (;;) {
    for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const parameters = commandLine(entry);
      const profile = parameters.find((text) => text.startsWith("--user-data-dir="))?.slice(16);
      if (profile === undefined || !parameters.includes("--remote-debugging-port=0")) continue;
      try {
        return Number(readFileSync(`${profile}/DevToolsActivePort`, "latin1").split("\n", 1)[0]);
      } catch {
        // Not written yet.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
  } catch {
    return [];
  }
}

test("a browser that cannot be started is named", async () => {
  const engine = engineFor({ browser: { executablePath: "/nowhere/chromium" } });
  expect(await failure(engine.scrape({ url: "http://127.0.0.1/", waitFor: 1 }))).toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("/nowhere/chromium"),
  });
});

test.each(["http", "ws", "wss"])(
  "an endpoint (%s) where no browser is says so, without the key in its address",
  async (scheme) => {
    const { url, close } = await startTestSite({});
    await close();
    const at = new URL(url).host;
    const engine = engineFor({ browser: { endpoint: `${scheme}://user:secret@${at}/devtools/browser?token=secret` } });
    const error = await failure(engine.scrape({ url: "http://127.0.0.1/", waitFor: 1 }));
    expect(error).toMatchObject({
      code: "UNSUPPORTED",
      message: `The browser at ${at} could not be reached: ECONNREFUSED`,
    });
    expect(JSON.stringify(error)).not.toContain("secret");
  },
);

test("a page that needs no browser starts none, a shell without one says so", async () => {
  const { url } = await site({ "/": app });
  const engine = engineFor({ browser: { executablePath: "/nowhere/chromium" } });
  const { data } = await engine.scrape({ url });
  expect(data.metadata.engine).toBe("http");
  expect(data.warning).toMatch(/builds itself with scripts/);
  const none = engineFor({ browser: false });
  expect((await none.scrape({ url })).data.warning).not.toMatch(/builds itself/);
});

test("a browser that does not answer any more is killed, and a new one takes over", async () => {
  const { url } = await site({ "/": app });
  const options = await launchOptions();
  const engine = engineFor({
    browser: { executablePath: options.executablePath, launchArgs: options.args, maxPages: 1 },
  });
  await engine.scrape({ url, waitFor: 1 });
  const stopped = browsersBelow(process.pid);
  expect(stopped.length).toBeGreaterThan(0);
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  expect(await failure(engine.scrape({ url, waitFor: 1, timeout: 1500 }))).toMatchObject({ code: "SCRAPE_TIMEOUT" });
  const { data } = await engine.scrape({ url, waitFor: 1, timeout: 60_000 });
  expect(data.markdown).toContain("Written by a script");
  for (const pid of stopped) expect(commandLine(String(pid))).toEqual([]);
});

/** Browser processes that this process has started with the engine's own flags. */
function browsersBelow(parent: number): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry) || !commandLine(entry).some((text) => text.startsWith("--host-resolver-rules"))) return [];
    const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent ? [Number(entry)] : [];
  });
}

test("memory and age of a browser can be read", async () => {
  const found = findBrowser();
  if (!found) throw new Error("The tests need a browser");
  const running = await openBrowser(found, "http://127.0.0.1:9", silent);
  expect(running.memory()).toBeGreaterThan(20_000_000);
  running.kill();
  await running.close();
  expect(running.browser.isConnected()).toBe(false);
});

test("the flags that the documentation asks for are those of the engine's own browsers", () => {
  const told = readFileSync(join(import.meta.dirname, "../docs/browser.md"), "utf8").matchAll(/^ {2}"(--.*)",$/gm);
  const flags = Array.from(told, ([, flag]) => flag);
  expect(flags.length).toBeGreaterThan(4);
  expect(launchFlags).toEqual(expect.arrayContaining(flags));
});
