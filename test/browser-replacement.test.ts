/** Browsers are replaced when old, without a loss for pages under way, and fitted to the memory and rights there are. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright";
import { expect, onTestFinished, test, vi } from "vitest";
import { findBrowser } from "../src/fetch/browser/find-browser.ts";
import type { BrowserOptions, Engine, Logger, ScrapeOptions } from "../src/index.ts";
import type { TestHandler } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** The browser of these tests, with a mark on its command line. */
async function marked(): Promise<{ executablePath: string; launchArgs: string[]; mark: string }> {
  const found = findBrowser();
  if (found?.kind !== "launch" || !found.executablePath) throw new Error("The tests need a browser");
  const mark = `--marked=${crypto.randomUUID()}`;
  return { executablePath: await found.executablePath(), launchArgs: [...found.flags, mark], mark };
}

/** Processes with the mark that are no other process's part of a browser. */
async function browsers(mark: string): Promise<number[]> {
  const entries = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    entries.map(async (entry) => {
      const words = (await readFile(`/proc/${entry}/cmdline`, "latin1").catch(() => "")).split("\0");
      return words.includes(mark) && !words.some((word) => word.startsWith("--type=")) ? [Number(entry)] : [];
    }),
  );
  return found.flat();
}

async function engineWith(options: BrowserOptions): Promise<{ engine: Engine; pids(): Promise<number[]> }> {
  const { mark, ...browser } = await marked();
  return { engine: engineFor({ browser: { ...browser, ...options } }), pids: () => browsers(mark) };
}

/** A page that is answered when the test says so. */
function held(): { answer: TestHandler; asked: Promise<void>; release(): void } {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const answer = async () => {
    asked.resolve();
    await released.promise;
    return { body: page("held") };
  };
  return { answer, asked: asked.promise, release: released.resolve };
}

const rendered = { waitFor: 1 } as const;

test("after so many pages another browser takes over, and pages under way end in the old one", async () => {
  const slow = held();
  const { url } = await site({ "/": page("quick"), "/slow": slow.answer });
  const { engine, pids } = await engineWith({ maxPages: 2, maxPagesPerBrowser: 2 });
  const underWay = engine.scrape({ url: `${url}/slow`, ...rendered });
  await slow.asked;
  const [first] = await pids();
  await engine.scrape({ url, ...rendered });
  await engine.scrape({ url, ...rendered });
  const both = await pids();
  expect(both).toHaveLength(2);
  expect(both).toContain(first);
  slow.release();
  expect((await underWay).data.markdown).toContain("# held");
  await vi.waitFor(async () => expect(await pids()).toEqual(both.filter((pid) => pid !== first)), { timeout: 20_000 });
});

test("a page does not get a tab of the browser that is to end, though it is idle", async () => {
  const [slow, later] = [held(), held()];
  const { url, received } = await site({ "/": page("quick"), "/slow": slow.answer, "/later": later.answer });
  const { engine, pids } = await engineWith({ maxPages: 3, maxPagesPerBrowser: 2 });
  await engine.scrape({ url, ...rendered });
  const underWay = engine.scrape({ url: `${url}/slow`, ...rendered, mobile: true });
  await slow.asked;
  const last = engine.scrape({ url: `${url}/later`, ...rendered });
  await later.asked;
  slow.release();
  await underWay;
  await vi.waitFor(async () => expect(await pids()).toHaveLength(1), { timeout: 20_000 });
  later.release();
  expect((await last).data.markdown).toContain("# held");
  expect(received.filter(({ target }) => target === "/later")).toHaveLength(1);
});

test("a browser is replaced when it has reached its age", async () => {
  const { url } = await site({ "/": page("quick") });
  const { engine, pids } = await engineWith({ maxBrowserAgeMs: 1 });
  await engine.scrape({ url, ...rendered });
  await vi.waitFor(async () => expect(await pids()).toEqual([]), { timeout: 20_000 });
  expect((await engine.scrape({ url, ...rendered })).data.markdown).toContain("# quick");
});

test("a browser is replaced when it holds more memory than it may", async () => {
  const { url } = await site({ "/": page("quick") });
  const { engine, pids } = await engineWith({ maxPages: 1, maxBrowserMemory: 20_000_000 });
  const scrape = () => engine.scrape({ url, ...rendered });
  for (let count = 0; count < 9; count += 1) await scrape();
  const [first, ...more] = await pids();
  expect([typeof first, more]).toEqual(["number", []]);
  await scrape();
  await vi.waitFor(async () => expect(await pids()).not.toContain(first), { timeout: 20_000 });
  expect((await scrape()).data.markdown).toContain("# quick");
});

test("a browser of the caller's is never replaced, but nothing stays open in it", async () => {
  const { executablePath, launchArgs } = await marked();
  const sandbox = { chromiumSandbox: process.getuid?.() !== 0 };
  const browser = await chromium.launch({ executablePath, args: launchArgs, ...sandbox });
  onTestFinished(() => browser.close());
  const slow = held();
  const { url } = await site({ "/": page("quick"), "/slow": slow.answer });
  const engine = engineFor({ browser: { browser, maxPages: 3, maxPagesPerBrowser: 3 } });
  const underWay = engine.scrape({ url: `${url}/slow`, ...rendered });
  await slow.asked;
  // Left idle in the browser when the next page makes it old.
  await engine.scrape({ url, ...rendered });
  await engine.scrape({ url, ...rendered, mobile: true });
  slow.release();
  await underWay;
  await engine.close();
  expect(browser.isConnected()).toBe(true);
  expect(browser.contexts()).toEqual([]);
});

test.each([
  ["700 MiB: room for one page at a time", 700, 1],
  ["1400 MiB: room for two", 1400, 2],
])("of a container with %s", async (_, mebibytes, expected) => {
  // Node reads it from the control group.
  vi.spyOn(process, "constrainedMemory").mockReturnValue(mebibytes * 1024 * 1024);
  let [open, most] = [0, 0];
  const { url } = await site({
    "*": async () => {
      open += 1;
      most = Math.max(most, open);
      // Opening the next tab may take long.
      await vi.waitFor(() => expect(most).toBeGreaterThanOrEqual(expected), 20_000).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 300));
      open -= 1;
      return { body: page("counted") };
    },
  });
  const { engine } = await engineWith({});
  await Promise.all(["a", "b", "c"].map((path) => engine.scrape({ url: `${url}/${path}`, ...rendered })));
  expect(most).toBe(expected);
});

/** An engine whose browser is started by a script, in a folder of its own. */
async function startedBy(script: (executablePath: string, folder: string) => string) {
  const { executablePath, launchArgs } = await marked();
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-start-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, "chromium");
  await writeFile(program, `#!/bin/sh\n${script(executablePath, folder)}`);
  await chmod(program, 0o755);
  const warnings: string[] = [];
  const ignore = () => {};
  const logger: Logger = { debug: ignore, info: ignore, warn: (text) => void warnings.push(text), error: ignore };
  return { engine: engineFor({ browser: { executablePath: program, launchArgs }, logger }), warnings };
}

test("where Chromium cannot be sandboxed it is started without, with a warning", async () => {
  // As Chromium behaves in a container without user namespaces.
  const refusal = "FATAL:zygote_host_impl_linux.cc(132)] No usable sandbox!";
  const { engine, warnings } = await startedBy(
    (path) =>
      `case " $* " in *" --no-sandbox "*) exec "${path}" "$@" ;; esac\necho "${refusal}" >&2\nulimit -c 0\nkill -TRAP $$\n`,
  );
  if (process.getuid) vi.spyOn(process, "getuid").mockReturnValue(1000);
  const { url } = await site({ "/": page("quick") });
  expect((await engine.scrape({ url, ...rendered })).data.markdown).toContain("# quick");
  expect(warnings).toEqual([expect.stringContaining("sandbox")]);
});

test("a browser that crashes while it starts is started once more, with a warning, and only once", async () => {
  const { url } = await site({ "/": page("quick") });
  const once = await startedBy(
    (path, folder) =>
      `[ -e "${folder}/tried" ] && exec "${path}" "$@"\ntouch "${folder}/tried"\nulimit -c 0\nkill -SEGV $$\n`,
  );
  expect((await once.engine.scrape({ url, ...rendered })).data.markdown).toContain("# quick");
  expect(once.warnings).toEqual([expect.stringContaining("crashed")]);
  const always = await startedBy((_, folder) => `echo x >> "${folder}/tries"\nulimit -c 0\nkill -SEGV $$\n`);
  await expect(always.engine.scrape({ url, ...rendered })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("could not be started"),
  });
  expect(always.warnings).toHaveLength(1);
});

test("one that cannot be started is left alone for seconds, not for an hour if the time of day is set back by one", async () => {
  const { url } = await site({ "/": page("quick") });
  const { engine, warnings: starts } = await startedBy(() => "ulimit -c 0\nkill -SEGV $$\n");
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const visit = () => expect(engine.scrape({ url, ...rendered })).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await visit();
  vi.setSystemTime(Date.now() - 3_600_000);
  await visit();
  expect(starts).toHaveLength(1);
  vi.advanceTimersByTime(16_000);
  await visit();
  expect(starts).toHaveLength(2);
});

test("a browser that is killed at any moment of opening tabs fails their pages at once, so that they are tried again", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const { engine, pids } = await engineWith({});
  for (const wait of [5, 20, 35, 50, 65, 80]) {
    await engine.scrape({ url, ...rendered });
    const begun = performance.now();
    const outcomes = Promise.allSettled(
      [1, 2, 3].map((number) => engine.scrape({ url: `${url}/${number}`, waitFor: 300, timeout: 60_000 })),
    );
    await new Promise((resolve) => setTimeout(resolve, wait));
    for (const pid of await pids()) process.kill(pid, "SIGKILL");
    const failures = (await outcomes).filter((outcome) => outcome.status === "rejected");
    for (const { reason } of failures) {
      expect(reason).toMatchObject({ code: "SCRAPE_SITE_ERROR", message: "The browser crashed", retryable: true });
    }
    expect(performance.now() - begun).toBeLessThan(40_000);
  }
});

test("pages that turned out to need the browser are opened in the next one if it is killed, not given as bare shells", async () => {
  const built = JSON.stringify(page("built by scripts"));
  const twoWait = Promise.withResolvers<void>();
  let asked = 0;
  const { url } = await site({
    "*": `<div id="root"></div><script>fetch("/api").then(() => { root.innerHTML = ${built} })</script>`,
    "/api": async () => {
      asked += 1;
      if (asked > 2) return "";
      if (asked === 2) twoWait.resolve();
      await sleep(2_000);
      return "";
    },
  });
  const { engine, pids } = await engineWith({ maxPages: 2 });
  const job = await engine.batchScrape({ urls: [1, 2, 3].map((number) => `${url}/${number}`) });
  await twoWait.promise;
  for (const pid of await pids()) process.kill(pid, "SIGKILL");
  const { data } = await job.wait();
  expect(data.map(({ markdown }) => markdown?.includes("built by scripts"))).toEqual([true, true, true]);
});

const longWaits = {
  waitFor: { waitFor: 15_000 },
  "a wait for a time": { actions: [{ type: "wait", milliseconds: 25_000 }] },
  "a wait for an element": { actions: [{ type: "wait", selector: "#never" }] },
} satisfies Record<string, ScrapeOptions>;

test.each(Object.entries(longWaits))("a browser that crashes during %s leaves no timer behind", async (_, options) => {
  const begun = Promise.withResolvers<void>();
  const { url } = await site({
    "/": `${page("patient")}<script>setTimeout(() => fetch("/waits"), 1500)</script>`,
    "/waits": () => {
      begun.resolve();
      return "";
    },
  });
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const { engine, pids } = await engineWith({});
  const outcome = engine.scrape({ url, timeout: 30_000, ...options }).catch((error: unknown) => error);
  await begun.promise;
  for (const pid of await pids()) process.kill(pid, "SIGKILL");
  expect(await outcome).toMatchObject({ code: "SCRAPE_SITE_ERROR", message: "The browser crashed" });
  await engine.close();
  // The test runner has timers for a moment, too.
  for (let tries = 0; tries < 20 && timers() > 0; tries += 1) await sleep(100, undefined, { ref: false });
  expect(timers()).toBe(0);
});
