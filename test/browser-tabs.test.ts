// A tab is lent again only for what is like the page before: of the same team, seen from the same place, by the same
// device. How many are open is seen in a browser of the caller's.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright";
import { expect, onTestFinished, test, vi } from "vitest";
import { findBrowser } from "../src/fetch/browser/find-browser.ts";
import type { ScrapeOptions } from "../src/index.ts";
import { engineFor, site } from "./start-engine.ts";

async function ownBrowser() {
  const found = findBrowser();
  if (found?.kind !== "launch" || !found.executablePath) throw new Error("The tests need a browser");
  const browser = await chromium.launch({
    executablePath: await found.executablePath(),
    args: [...found.flags],
    chromiumSandbox: process.getuid?.() !== 0,
  });
  onTestFinished(() => browser.close());
  return browser;
}

const shown = `<meta name="viewport" content="width=device-width"><div id="root"></div><script>root.innerHTML = "<p>It is shown on " + innerWidth + " points. " + name + "</p>"; name = "left"</script>`;

test("a tab is lent again for the same team and the same options, and for no others", async () => {
  const browser = await ownBrowser();
  const opened = vi.spyOn(browser, "newContext");
  const { url } = await site({ "/": shown });
  // With one place only, each page waits until the tab before it has been cleaned.
  const engine = engineFor({ browser: { browser, maxPages: 1 } });
  const openedAfter = async (team: string, options: ScrapeOptions = {}) => {
    const { data } = await engine.scrape({ url, waitFor: 1, ...options }, { team });
    expect(data.markdown).toBe(`It is shown on ${options.mobile ? 412 : 1280} points.`);
    return opened.mock.calls.length;
  };
  expect(await openedAfter("a")).toBe(1);
  expect(await openedAfter("a")).toBe(1);
  expect(await openedAfter("b")).toBe(2);
  expect(await openedAfter("b")).toBe(2);
  expect(await openedAfter("b", { mobile: true })).toBe(3);
  expect(await openedAfter("b", { location: { country: "DE" } })).toBe(4);
  expect(await openedAfter("b", { skipTlsVerification: true })).toBe(5);
  // What callers send or do may leave traces that nobody finds.
  expect(await openedAfter("b", { headers: { "x-sent": "1" } })).toBe(6);
  expect(await openedAfter("b", { headers: { "x-sent": "1" } })).toBe(7);
  expect(await openedAfter("b", { actions: [{ type: "wait", milliseconds: 1 }] })).toBe(8);
  expect(await openedAfter("b", { actions: [{ type: "wait", milliseconds: 1 }] })).toBe(9);
  await engine.close();
  expect(browser.contexts()).toEqual([]);
});

test("no more tabs are open than there may be: the one that has been idle longest makes room", async () => {
  const browser = await ownBrowser();
  const { url } = await site({ "/": shown });
  const engine = engineFor({ browser: { browser, maxPages: 2 } });
  for (const team of ["a", "b", "c", "d"]) await engine.scrape({ url, waitFor: 1 }, { team });
  // Less than it takes until idle tabs are closed anyway.
  await expect.poll(() => browser.contexts().length, { timeout: 6000 }).toBeLessThanOrEqual(2);
  await engine.close();
});

test("that is not the one which was opened first, but used since", async () => {
  const browser = await ownBrowser();
  const opened = vi.spyOn(browser, "newContext");
  const { url } = await site({ "/": shown });
  const engine = engineFor({ browser: { browser, maxPages: 2 } });
  // The place of the tab before is given back a moment after its page has been answered.
  const scrape = async (team: string) => {
    await engine.scrape({ url, waitFor: 1 }, { team });
    await setTimeout(500);
  };
  for (const team of ["a", "b", "a", "c", "a"]) await scrape(team);
  expect(opened).toHaveBeenCalledTimes(3);
  await engine.close();
});

test("a tab that opens after nobody waits for it any more is closed", async () => {
  const browser = await ownBrowser();
  const opened = Promise.withResolvers<void>();
  const newContext = browser.newContext.bind(browser);
  const opening = vi.spyOn(browser, "newContext").mockImplementationOnce(async (options) => {
    const context = await newContext(options);
    await opened.promise;
    return context;
  });
  const { url } = await site({ "/": shown });
  const engine = engineFor({ browser: { browser, maxPages: 1 } });
  const stop = new AbortController();
  const scraping = engine.scrape({ url, waitFor: 1 }, { signal: stop.signal });
  await expect.poll(() => opening.mock.calls.length).toBe(1);
  stop.abort(new Error("enough"));
  await expect(scraping).rejects.toThrow("enough");
  opened.resolve();
  await expect.poll(() => browser.contexts().length).toBe(0);
  expect((await engine.scrape({ url, waitFor: 1 })).data.markdown).toContain("It is shown");
  await engine.close();
});

test("nor does one stay open in the caller's browser that opens only after it has been given up", async () => {
  const browser = await ownBrowser();
  const givenUp = Promise.withResolvers<void>();
  const newContext = browser.newContext.bind(browser);
  vi.spyOn(browser, "newContext").mockImplementationOnce(async (options) => {
    await givenUp.promise;
    return newContext(options);
  });
  const { url } = await site({ "/": shown });
  const engine = engineFor({ browser: { browser } });
  await expect(engine.scrape({ url, waitFor: 1, timeout: 60_000 })).rejects.toThrow("crashed");
  const late = new Promise((resolve) => browser.once("context", resolve));
  givenUp.resolve();
  await late;
  await expect.poll(() => browser.contexts().length).toBe(0);
  await engine.close();
});

test("a tab that is lent again stays open for longer than it may be idle", async () => {
  const browser = await ownBrowser();
  const opened = vi.spyOn(browser, "newContext");
  const { url } = await site({ "/": shown });
  const engine = engineFor({ browser: { browser, maxPages: 1 } });
  await engine.scrape({ url, waitFor: 1, timeout: 60_000 });
  // An idle tab is closed after ten seconds.
  const { data } = await engine.scrape({ url, waitFor: 11_000, timeout: 60_000, maxAge: 0 });
  expect(data.markdown).toContain("It is shown");
  expect(opened).toHaveBeenCalledTimes(1);
});

test("once a tab is closed, nobody gets to the network in its name", async () => {
  const browser = await ownBrowser();
  const newContext = browser.newContext.bind(browser);
  let [server, name] = ["", ""];
  vi.spyOn(browser, "newContext").mockImplementationOnce(async (options) => {
    server = options?.proxy?.server ?? "";
    const context = await newContext(options);
    const newSession = context.newCDPSession.bind(context);
    vi.spyOn(context, "newCDPSession").mockImplementation(async (page) => {
      const session = await newSession(page);
      const send = session.send.bind(session) as (...call: unknown[]) => Promise<never>;
      vi.spyOn(session, "send").mockImplementation((...call: unknown[]) => {
        const answer = (call[1] as { authChallengeResponse?: { username?: string; password?: string } } | undefined)
          ?.authChallengeResponse;
        if (answer?.username !== undefined) name = `${answer.username}:${answer.password}`;
        return send(...call);
      });
      return session;
    });
    return context;
  });
  const { url, port } = await site({ "/": shown });
  const ask = async () => {
    const headers = { "proxy-authorization": `Basic ${Buffer.from(name).toString("base64")}` };
    const asked = request(server, { method: "CONNECT", path: `127.0.0.1:${port}`, headers }).end();
    const [{ statusCode }, socket] = (await once(asked, "connect")) as [IncomingMessage, Socket];
    socket.destroy();
    return statusCode;
  };
  const engine = engineFor({ browser: { browser } });
  const enough = new AbortController();
  const options = { url, actions: [{ type: "wait" as const, selector: ".never" }], timeout: 60_000 };
  const waiting = engine.scrape(options, { signal: enough.signal }).catch((error: unknown) => error);
  await expect.poll(() => name, { timeout: 20_000 }).not.toBe("");
  expect(await ask()).toBe(200);
  enough.abort("enough");
  expect(await waiting).toBe("enough");
  await expect.poll(() => browser.contexts().length).toBe(0);
  expect(await ask()).toBe(407);
});

test("a page in a browser of the caller's starts no worker that outlives it, and no connection past the proxy", async () => {
  const browser = await ownBrowser();
  const page = `<p id="shown"></p><script>shown.textContent = "Connections: " + typeof RTCPeerConnection;
    navigator.serviceWorker?.register("/worker.js")</script>`;
  const worker = { headers: { "content-type": "text/javascript" }, body: "" };
  const { url, received } = await site({ "/": page, "/worker.js": worker });
  const engine = engineFor({ browser: { browser } });
  expect((await engine.scrape({ url, waitFor: 300 })).data.markdown).toBe("Connections: undefined");
  expect(received.map(({ target }) => target)).not.toContain("/worker.js");
  await engine.close();
});

test("what a page opens beside itself is closed, and its tab is lent again", async () => {
  const browser = await ownBrowser();
  const opened = vi.spyOn(browser, "newContext");
  const { url } = await site({ "/": '<p>Here</p><script>open("/beside")</script>', "/beside": "<p>Beside</p>" });
  const engine = engineFor({ browser: { browser, maxPages: 1 } });
  for (let turn = 0; turn < 2; turn++) {
    expect((await engine.scrape({ url, waitFor: 1000 })).data.markdown).toBe("Here");
  }
  expect(opened).toHaveBeenCalledTimes(1);
  await engine.close();
});

test("a page can save no file on the machine", async () => {
  const browser = await ownBrowser();
  const newContext = browser.newContext.bind(browser);
  const failures: Promise<string | null>[] = [];
  vi.spyOn(browser, "newContext").mockImplementationOnce(async (options) => {
    const context = await newContext(options);
    context.on("page", (page) => page.on("download", (download) => failures.push(download.failure())));
    return context;
  });
  const saving = `<p>Saving</p><script>const link = document.createElement("a"); link.download = "saved.txt";
    link.href = URL.createObjectURL(new Blob(["a".repeat(1000)])); link.click()</script>`;
  const { url } = await site({ "/": saving });
  const engine = engineFor({ browser: { browser } });
  expect((await engine.scrape({ url, waitFor: 1000 })).data.markdown).toBe("Saving");
  expect(await Promise.all(failures)).toEqual([expect.any(String)]);
  await engine.close();
});

test("a login by a user name in an address is not sent for the next page", async () => {
  const asked: (string | undefined)[] = [];
  const address = "//name:secret@' + location.host + '/asking";
  const { url } = await site({
    "/asking": ({ request: { headers } }) => {
      asked.push(headers.authorization);
      const isKnown = headers.authorization !== undefined;
      return isKnown ? "<p>Inside</p>" : { status: 401, headers: { "www-authenticate": "Basic realm=a" }, body: "No" };
    },
    "/redirect": ({ request }) => ({
      status: 302,
      headers: { location: `http://name:secret@${request.headers.host}/asking` },
    }),
    "/script":
      "<script>const x = new XMLHttpRequest(); x.open('GET', '/asking', true, 'name', 'secret'); x.send()</script>",
    "/popup": `<script>open().location = 'http:${address}'</script>`,
    "/socket": `<script>new WebSocket('ws:${address}')</script>`,
  });
  const engine = engineFor({ browser: { maxPages: 1 } });
  for (const path of ["/redirect", "/script", "/popup", "/socket"]) {
    asked.length = 0;
    await engine.scrape({ url: url + path, waitFor: 500 });
    // A pop-up may be closed before it has sent anything.
    if (path !== "/popup") expect(asked.at(-1), path).toMatch(/^Basic /);
    await engine.scrape({ url: `${url}/asking`, waitFor: 1 });
    expect(asked.at(-1), path).toBeUndefined();
  }
});
