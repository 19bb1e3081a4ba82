import { connect, type Socket } from "node:net";
import { Server } from "proxy-chain";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createEngine, type Engine, type ProxyPool } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";
import { failure } from "./failure.ts";
import { httpsServer, rawServer } from "./network-server.ts";

let site: TestSite;
/** Names of the proxies in the order in which they were used. */
let used: string[] = [];
const servers: Server[] = [];

/** A real proxy with a user name and password of its own. */
async function proxy(name: string): Promise<string> {
  const server = new Server({
    port: 0,
    host: "127.0.0.1",
    prepareRequestFunction({ username, password }) {
      used.push(name);
      return { requestAuthentication: username !== name || password !== "p@ss" };
    },
  });
  await server.listen();
  servers.push(server);
  return `http://${name}:p%40ss@127.0.0.1:${server.port}`;
}

const heading = "First heading";
const sentence = "A page with enough text to be taken for a page. ".repeat(20);
let urls: Record<"one" | "two" | "stealth" | "german" | "dead", string>;

beforeAll(async () => {
  site = await startTestSite({
    "/": `<main><h2>${heading}</h2><p>${sentence}</p></main>`,
    // Lets in who comes with the headers of a browser.
    "/picky": ({ request }) =>
      /Chrome/.test(request.headers["user-agent"] ?? "")
        ? `<h1>In</h1><p>${sentence}</p>`
        : { status: 403, body: "<h1>Out</h1>" },
    "/never": { status: 403, body: "<h1>Out</h1>" },
    "/error": { status: 500, body: "<h1>Broken</h1>" },
    "/checks": `<pre id="out"></pre>`,
  });
  urls = {
    one: await proxy("one"),
    two: await proxy("two"),
    stealth: await proxy("stealth"),
    german: await proxy("german"),
    dead: "http://127.0.0.1:1",
  };
});
beforeEach(() => {
  used = [];
});
afterAll(async () => {
  for (const server of servers) await server.close(true);
  await site.close();
});

async function withEngine(proxies: ProxyPool, run: (engine: Engine) => Promise<void>, browser?: false): Promise<void> {
  const engine = createEngine({
    network: { allowHosts: ["127.0.0.1"] },
    proxies,
    ...(browser === false ? { browser } : {}),
  });
  try {
    await run(engine);
  } finally {
    await engine.close();
  }
}
describe("over HTTP", () => {
  test("basic proxies take turns, with their credentials", () =>
    withEngine({ basic: [urls.one, urls.two] }, async (engine) => {
      for (let turn = 0; turn < 4; turn += 1) await engine.scrape({ url: site.url });
      expect(new Set(used)).toEqual(new Set(["one", "two"]));
    }));

  test("one that is dead is passed over, and left alone afterwards", () =>
    withEngine({ basic: [urls.dead, urls.one] }, async (engine) => {
      for (let turn = 0; turn < 4; turn += 1) {
        expect((await engine.scrape({ url: site.url })).data.markdown).toContain(heading);
      }
      expect(new Set(used)).toEqual(new Set(["one"]));
    }));

  test("all of them dead: the page fails with the proxy's name and no password", () =>
    withEngine({ basic: ["http://user:secret@127.0.0.1:1"] }, async (engine) => {
      const error = (await failure(engine.scrape({ url: site.url }))) as Error & { code: string };
      expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR", message: expect.stringContaining("127.0.0.1:1") });
      expect(error.message).not.toContain("secret");
    }));

  test("of many that are dead, three are tried for a page", async () => {
    const server = await rawServer((socket) => socket.end());
    const dead = Array.from({ length: 5 }, (_, index) => `http://user${index}@127.0.0.1:${server.port}`);
    await withEngine({ basic: dead }, async (engine) => {
      expect(await failure(engine.scrape({ url: site.url }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
      expect(server.sockets.opened).toBe(3);
    });
  });

  test("a site that breaks off is no fault of the proxy: no other is tried, and none rests", () =>
    withEngine(
      { basic: [urls.one, urls.two] },
      async (engine) => {
        site.route("/broken", ({ request }) => void request.socket.destroy());
        for (const name of ["one", "two", "one", "two"]) {
          used = [];
          const error = await failure(engine.scrape({ url: `${site.url}/broken` }));
          expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
          expect(new Set(used)).toEqual(new Set([name]));
        }
      },
      false,
    ));

  describe("one that fails", () => {
    /** A way to the proxy `one` that can be broken and mended, and knows how often it was tried. */
    async function way(isUp: boolean) {
      const open = new Set<Socket>();
      const state = {
        isUp,
        tries: 0,
        url: "",
        break() {
          state.isUp = false;
          for (const socket of open) socket.destroy();
        },
      };
      const server = await rawServer((socket, head) => {
        state.tries += 1;
        open.add(socket);
        if (!state.isUp) {
          socket.destroy();
          return;
        }
        socket.removeAllListeners("data");
        const onward = connect(Number(new URL(urls.one).port), "127.0.0.1");
        onward.on("error", () => socket.destroy());
        onward.write(head, "latin1");
        socket.pipe(onward).pipe(socket);
      });
      state.url = urls.one.replace(/@.*/, `@127.0.0.1:${server.port}`);
      return state;
    }
    const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["Date"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test("rests, after each further failure twice as long, up to ten minutes, and has no past once it works", async () => {
      const broken = await way(false);
      await withEngine(
        { basic: [broken.url, urls.two] },
        async (engine) => {
          // Two pages, so that each proxy that is not resting has its turn.
          const tries = async () => {
            const before = broken.tries;
            for (let turn = 0; turn < 2; turn += 1) await engine.scrape({ url: site.url });
            return broken.tries - before;
          };
          expect(await tries()).toBe(1);
          for (const seconds of [5, 10, 20, 40, 80, 160, 320, 600, 600]) {
            pass(seconds - 1);
            expect(await tries()).toBe(0);
            pass(1.1);
            expect(await tries()).toBe(1);
          }
          pass(600);
          broken.isUp = true;
          expect(await tries()).toBe(1);
          broken.break();
          expect(await tries()).toBe(1);
          pass(5.1);
          expect(await tries()).toBe(1);
        },
        false,
      );
    });

    test("rests no longer because the time of day is set back", async () => {
      const broken = await way(false);
      await withEngine(
        { basic: [broken.url, urls.two] },
        async (engine) => {
          const visit = () => engine.scrape({ url: site.url });
          await visit();
          await visit();
          expect(broken.tries).toBe(1);
          pass(-3600);
          await visit();
          await visit();
          expect(broken.tries).toBe(2);
        },
        false,
      );
    });

    test("by saying nothing is passed over, too", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const silent = await rawServer(() => {});
      await withEngine(
        { basic: [`http://127.0.0.1:${silent.port}`, urls.two] },
        async (engine) => {
          const page = engine.scrape({ url: site.url, timeout: 30_000 });
          await vi.waitFor(() => expect(silent.sockets.open).toBe(1), { timeout: 20_000 });
          await vi.advanceTimersByTimeAsync(10_000);
          expect((await page).data.markdown).toContain(heading);
          expect(silent.sockets.open).toBe(0);
          vi.useRealTimers();
        },
        false,
      );
    });

    test("is asked again before others if all rest and its rest ends first", async () => {
      const [longer, shorter] = [await way(false), await way(true)];
      await withEngine(
        { basic: [longer.url, shorter.url] },
        async (engine) => {
          await engine.scrape({ url: site.url });
          pass(5.1);
          for (let turn = 0; turn < 2; turn += 1) await engine.scrape({ url: site.url });
          expect(longer.tries).toBe(2);
          shorter.break();
          expect(await failure(engine.scrape({ url: site.url }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
          shorter.isUp = true;
          const { tries } = longer;
          expect((await engine.scrape({ url: site.url })).data.markdown).toContain(heading);
          expect(longer.tries).toBe(tries);
        },
        false,
      );
    });
  });

  test("one that is listed twice and dead is no reason to go without a proxy", () =>
    withEngine({ basic: [urls.dead, urls.dead] }, async (engine) => {
      expect(await failure(engine.scrape({ url: site.url }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    }));

  test("a function that takes turns is asked once for each try", () => {
    let asked = 0;
    return withEngine(
      () => [urls.dead, urls.one][asked++ % 2]!,
      async (engine) => {
        expect((await engine.scrape({ url: site.url })).data.markdown).toContain(heading);
        expect(used).toEqual(["one"]);
        expect(asked).toBe(2);
      },
      false,
    );
  });

  test("a function may want no proxy for a page after one that is dead", () => {
    const chosen = [urls.dead, null];
    return withEngine(
      () => chosen.shift() ?? null,
      async (engine) => {
        expect((await engine.scrape({ url: site.url })).data.markdown).toContain(heading);
        expect(chosen).toEqual([]);
        expect(used).toEqual([]);
      },
      false,
    );
  });

  test("each list has turns of its own, whatever others are used in between", () =>
    withEngine(
      { basic: [urls.one, urls.two], stealth: [urls.stealth] },
      async (engine) => {
        for (const proxy of ["basic", "stealth", "basic"] as const) await engine.scrape({ url: site.url, proxy });
        expect(new Set(used)).toEqual(new Set(["one", "stealth", "two"]));
      },
      false,
    ));

  test("the stealth tier has proxies and headers of its own, and a price", () =>
    withEngine(
      { basic: [urls.one], stealth: [urls.stealth] },
      async (engine) => {
        const { data } = await engine.scrape({ url: `${site.url}/picky`, proxy: "stealth" });
        expect(data.metadata).toMatchObject({ proxyUsed: "stealth", creditsUsed: 5, statusCode: 200 });
        expect(new Set(used)).toEqual(new Set(["stealth"]));
      },
      false,
    ));

  test("auto: stealth only where basic is refused, and its price only where it brought the page", () =>
    withEngine(
      { stealth: [urls.stealth] },
      async (engine) => {
        const easy = await engine.scrape({ url: site.url, proxy: "auto" });
        expect(easy.data.metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1 });
        expect(used).toEqual([]);
        const picky = await engine.scrape({ url: `${site.url}/picky`, proxy: "auto" });
        expect(picky.data.metadata).toMatchObject({ proxyUsed: "stealth", creditsUsed: 5, engineReason: "blocked" });
        const never = await engine.scrape({ url: `${site.url}/never`, proxy: "auto" });
        expect(never.data.metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1, statusCode: 403 });
        used = [];
        const broken = await engine.scrape({ url: `${site.url}/error`, proxy: "auto" });
        expect(broken.data.metadata).toMatchObject({ proxyUsed: "basic", statusCode: 500 });
        expect(used).toEqual([]);
      },
      false,
    ));

  test("auto: stealth is no remedy for what is no refusal, such as a certificate of nobody known", async () => {
    const server = await httpsServer((_, response) => response.end("secure"));
    await withEngine(
      { stealth: [urls.stealth] },
      async (engine) => {
        const error = await failure(engine.scrape({ url: server.url(), proxy: "auto" }));
        expect(error).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
        expect(used).toEqual([]);
      },
      false,
    );
  });

  test("who asks for the basic way does not get, or pay for, what stealth brings to others at the same time", () =>
    withEngine(
      { stealth: [urls.stealth] },
      async (engine) => {
        const ask = (proxy: "auto" | "basic") => engine.scrape({ url: `${site.url}/picky`, proxy, maxAge: 60_000 });
        const [auto, basic] = await Promise.all([ask("auto"), ask("basic")]);
        expect(auto.data.metadata).toMatchObject({ proxyUsed: "stealth", creditsUsed: 5, statusCode: 200 });
        expect(basic.data.metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1, statusCode: 403 });
      },
      false,
    ));

  test("a function names the proxy, or none", () => {
    const asked: unknown[] = [];
    const choose: ProxyPool = (request) => {
      asked.push(request);
      return request.tier === "stealth" ? urls.stealth : null;
    };
    return withEngine(
      choose,
      async (engine) => {
        await engine.scrape({ url: site.url });
        expect(used).toEqual([]);
        await engine.scrape({ url: site.url, proxy: "stealth" });
        expect(new Set(used)).toEqual(new Set(["stealth"]));
        expect(asked).toEqual([
          { url: site.url, tier: "basic" },
          { url: site.url, tier: "stealth" },
        ]);
      },
      false,
    );
  });

  test.each([
    ["over HTTP", {}],
    ["in the browser", { waitFor: 1 }],
  ])("an abort %s ends the asking for further addresses of a host", async (_, options) => {
    const stop = new AbortController();
    const asked: string[] = [];
    const silent = await rawServer((_socket, head) => {
      if (!head.includes(":80 ")) return;
      asked.push(head);
      stop.abort(new Error("gone"));
    });
    const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => ({ address, family: 4 }));
    const network = { allowPrivateAddresses: true, lookup: async () => addresses };
    const engine = createEngine({ proxies: { basic: [`http://127.0.0.1:${silent.port}`] }, network });
    const scraping = engine.scrape({ url: "http://several.test/", ...options }, { signal: stop.signal });
    expect((await failure(scraping)).message).toBe("gone");
    // A proxy that does not answer is waited for ten seconds.
    await expect.poll(() => silent.sockets.open, { timeout: 6000 }).toBe(0);
    await engine.close();
    expect(asked).toHaveLength(1);
  });

  test("a function that never answers holds neither a job nor an engine that closes", async () => {
    const asked = Promise.withResolvers<string>();
    const choose: ProxyPool = ({ url }) => {
      asked.resolve(url);
      return new Promise(() => {});
    };
    const engine = createEngine({ proxies: choose, network: { allowHosts: ["127.0.0.1"] } });
    const job = await engine.crawl({ url: site.url });
    expect(await asked.promise).toBe(`${site.url}/robots.txt`);
    const begun = Date.now();
    await engine.close();
    // What does not end is left behind after ten seconds.
    expect(Date.now() - begun).toBeLessThan(8000);
    expect(await failure(job.wait())).toMatchObject({ code: "ENGINE_CLOSED" });
  });

  test("without stealth proxies auto is the basic way, and says so where that is refused", () =>
    withEngine(
      { basic: [urls.one] },
      async (engine) => {
        const { data } = await engine.scrape({ url: site.url, proxy: "auto" });
        expect(data.metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1, statusCode: 200 });
        expect(data.warning).toBeUndefined();
        const picky = await engine.scrape({ url: `${site.url}/picky`, proxy: "auto" });
        expect(picky.data.metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1, statusCode: 403 });
        expect(picky.warning).toContain("proxies.stealth");
        expect(await failure(engine.scrape({ url: `${site.url}/picky`, proxy: "stealth" }))).toMatchObject({
          code: "UNSUPPORTED",
        });
      },
      false,
    ));

  test("without stealth proxies the tier is refused by name", () =>
    withEngine({ basic: [urls.one] }, async (engine) => {
      expect(await failure(engine.scrape({ url: site.url, proxy: "stealth" }))).toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringContaining("options.proxies"),
      });
    }));
});

describe("in the browser", () => {
  test("basic, stealth and the country's own", () =>
    withEngine(
      { basic: [urls.one], stealth: [urls.stealth], byCountry: { De: [urls.german], FR: [] } },
      async (engine) => {
        const ask = async (options: object) => {
          used = [];
          const { data } = await engine.scrape({ url: site.url, waitFor: 1, ...options });
          expect(data.markdown).toContain(heading);
          return [...new Set(used)];
        };
        expect(await ask({})).toEqual(["one"]);
        expect(await ask({ proxy: "stealth" })).toEqual(["stealth"]);
        expect(await ask({ location: { country: "de" } })).toEqual(["german"]);
        expect(await ask({ location: { country: "fr" } })).toEqual(["one"]);
      },
    ));

  test("a dead one is passed over", () =>
    withEngine({ basic: [urls.dead, urls.one] }, async (engine) => {
      for (let turn = 0; turn < 2; turn += 1) {
        const { data } = await engine.scrape({ url: site.url, waitFor: 1 });
        expect(data.markdown).toContain(heading);
      }
    }));
});

/** The questions that the common detection scripts ask. */
const checks = `(async () => {
  const gl = document.createElement("canvas").getContext("webgl");
  const info = gl && gl.getExtension("WEBGL_debug_renderer_info");
  const hints = navigator.userAgentData ? await navigator.userAgentData.getHighEntropyValues(["platformVersion", "uaFullVersion", "fullVersionList", "architecture"]) : null;
  const frame = document.createElement("iframe"); document.body.append(frame);
  let traced = false;
  const trap = new Error(); Object.defineProperty(trap, "stack", { get() { traced = true; return ""; } }); console.debug(trap);
  const worker = await new Promise((resolve) => {
    const url = URL.createObjectURL(new Blob(["postMessage([navigator.userAgent, navigator.platform, navigator.languages, navigator.webdriver])"]));
    new Worker(url).onmessage = ({ data }) => resolve(data);
  });
  return {
    webdriver: navigator.webdriver, ownWebdriver: Object.getOwnPropertyNames(navigator),
    agent: navigator.userAgent, appVersion: navigator.appVersion, platform: navigator.platform, hints, brands: navigator.userAgentData?.brands,
    plugins: navigator.plugins.length, mimeTypes: navigator.mimeTypes.length, pluginType: Object.prototype.toString.call(navigator.plugins),
    languages: navigator.languages, language: navigator.language, intl: Intl.DateTimeFormat().resolvedOptions().locale,
    chrome: typeof window.chrome, frameChrome: typeof frame.contentWindow.chrome, frameWebdriver: frame.contentWindow.navigator.webdriver,
    permission: [Notification.permission, (await navigator.permissions.query({ name: "notifications" })).state],
    vendor: info && gl.getParameter(info.UNMASKED_VENDOR_WEBGL), renderer: info && gl.getParameter(info.UNMASKED_RENDERER_WEBGL),
    cores: navigator.hardwareConcurrency, memory: navigator.deviceMemory, touch: navigator.maxTouchPoints,
    outer: [outerWidth, outerHeight], inner: [innerWidth, innerHeight], screen: [screen.width, screen.height],
    native: [HTMLCanvasElement.prototype.getContext, WebGLRenderingContext.prototype.getParameter, navigator.permissions.query, Function.prototype.toString]
      .every((f) => Function.prototype.toString.call(f).includes("[native code]")),
    marks: Object.getOwnPropertyNames(window).filter((name) => /playwright|puppeteer|webdriver|selenium|phantom|cdc_|__pw|crawlee|crawlcore/i.test(name)),
    documentMarks: Object.getOwnPropertyNames(document).filter((name) => /cdc_|selenium|webdriver/i.test(name)),
    traced, worker,
  };
})()`;

describe("detection", () => {
  test("the stealth browser passes the common checks", () =>
    withEngine({ stealth: [urls.stealth] }, async (engine) => {
      const { data } = await engine.scrape({
        url: `${site.url}/checks`,
        proxy: "stealth",
        actions: [{ type: "executeJavascript", script: checks }],
      });
      // biome-ignore lint/suspicious/noExplicitAny: what a page says
      const seen = data.actions?.javascriptReturns[0]?.value as any;
      const { headers } = site.received.findLast(({ target }) => target === "/checks")!;
      const major = /Chrome\/(\d+)/.exec(seen.agent)?.[1];
      expect(seen).toMatchObject({
        webdriver: false,
        ownWebdriver: [],
        chrome: "object",
        frameChrome: "object",
        native: true,
      });
      expect(seen.frameWebdriver).toBe(false);
      expect(seen.marks).toEqual([]);
      expect(seen.documentMarks).toEqual([]);
      expect(seen.traced).toBe(false);
      expect(seen.agent).not.toContain("Headless");
      expect(headers["user-agent"]).toBe(seen.agent);
      expect(headers["sec-ch-ua"]).toContain(`v="${major}"`);
      expect(headers["sec-ch-ua"]).not.toContain("Headless");
      expect(headers["sec-ch-ua-platform"]).toBe(`"${seen.hints.platform}"`);
      expect(seen.brands.map(({ version }: { version: string }) => version)).toContain(major);
      expect(seen.hints.uaFullVersion.split(".")[0]).toBe(major);
      expect(headers["accept-language"]).toMatch(new RegExp(`^${seen.languages[0]}`));
      expect(seen.language).toBe(seen.languages[0]);
      expect(seen.plugins).toBeGreaterThan(0);
      expect(seen.mimeTypes).toBeGreaterThan(0);
      expect(seen.pluginType).toBe("[object PluginArray]");
      expect(seen.permission[1]).toBe(seen.permission[0] === "default" ? "prompt" : seen.permission[0]);
      expect(seen.renderer).not.toMatch(/swiftshader|llvmpipe|mesa offscreen/i);
      expect(seen.cores).toBeGreaterThan(1);
      expect(seen.outer[0]).toBeGreaterThanOrEqual(seen.inner[0]);
      expect(seen.outer[1]).toBeGreaterThan(seen.inner[1]);
      expect(seen.screen[0]).toBeGreaterThanOrEqual(seen.outer[0]);
      expect(seen.screen[1]).toBeGreaterThanOrEqual(seen.outer[1]);
      expect(seen.worker[0]).toBe(seen.agent);
      expect(seen.worker[1]).toBe(seen.platform);
      expect(seen.worker[2]).toEqual(seen.languages);
    }));
});
