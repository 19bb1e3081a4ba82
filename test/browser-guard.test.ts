import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createEngine, type Engine } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";
import { failure } from "./failure.ts";

let site: TestSite;
let engine: Engine;
/** A service inside the network that no page may reach: every connection to it is a failure of the guard. */
let secret: Server;
const connections: string[] = [];
let secretPort: number;
const stun = createSocket("udp4");
let packets = 0;

const names: Readonly<Record<string, string>> = {
  "allowed.example": "127.0.0.1",
  localhost: "127.0.0.1",
  "inside.example": "127.0.0.1",
  "cloud.example": "169.254.169.254",
  "both.example": "10.1.2.3",
};
const script = (code: string) =>
  `<h1>Page</h1><p>A page that tries to reach further than it may.</p><script>${code}</script>`;
const javascript = (body: string) => ({ headers: { "content-type": "text/javascript" }, body });

beforeAll(async () => {
  secret = createServer((socket) => {
    connections.push("tcp");
    socket
      .on("error", () => {})
      .end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\naccess-control-allow-origin: *\r\n\r\nSECRET");
  });
  await new Promise<void>((resolve) => secret.listen(0, "0.0.0.0", resolve));
  secretPort = (secret.address() as AddressInfo).port;
  stun.on("message", () => {
    packets += 1;
  });
  await new Promise<void>((resolve) => stun.bind(0, "127.0.0.1", resolve));
  site = await startTestSite({
    "/ok": "fine",
    "/to-secret": {
      status: 302,
      headers: { location: `http://127.0.0.1:${secretPort}/`, "access-control-allow-origin": "*" },
    },
    "/to-cloud": { status: 302, headers: { location: "http://cloud.example/latest/meta-data/" } },
    "/worker.js": ({ url }) =>
      javascript(
        `fetch("${url.searchParams.get("to")}").then((r) => r.text()).then(postMessage, () => postMessage("failed"))`,
      ),
    "/run": ({ url }) => script(url.searchParams.get("code") ?? ""),
  });
  engine = createEngine({
    network: {
      allowHosts: ["allowed.example"],
      lookup: async (host) => (names[host] === undefined ? [] : [{ address: names[host], family: 4 }]),
    },
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
  secret.close();
  stun.close();
});

const base = () => `http://allowed.example:${site.port}`;
const run = async (code: string, options: object = {}) =>
  (
    await engine.scrape({
      url: `${base()}/run?code=${encodeURIComponent(code)}`,
      waitFor: 300,
      timeout: 90_000,
      ...options,
    })
  ).data;
/** Where the secret could be tried to be reached. */
const addresses = (): string[] => [
  `http://127.0.0.1:${secretPort}/`,
  `http://localhost:${secretPort}/`,
  `http://[::1]:${secretPort}/`,
  `http://[::ffff:127.0.0.1]:${secretPort}/`,
  `http://2130706433:${secretPort}/`,
  `http://inside.example:${secretPort}/`,
];

test("what is allowed is reached", async () => {
  const { markdown } = await run(`fetch("/ok").then((r) => r.text()).then((t) => document.body.append("got " + t))`);
  expect(markdown).toContain("got fine");
});

// These mostly wait for a browser, so they do it together: whichever reached something, none passes after it.
describe.concurrent("a page is refused", () => {
  test.each([0, 1, 2, 3, 4, 5])("at address %i of the inside", async (index) => {
    const error = await failure(engine.scrape({ url: addresses()[index]!, waitFor: 1 }));
    expect(error).toMatchObject({ code: "FORBIDDEN_ADDRESS" });
    expect(connections).toEqual([]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://cloud.example/",
    "http://10.0.0.1/",
    "http://both.example/",
  ])("at %s", async (url) => {
    expect(await failure(engine.scrape({ url, waitFor: 1 }))).toMatchObject({ code: "FORBIDDEN_ADDRESS" });
  });

  test.each(["/to-secret", "/to-cloud"])("behind the redirect %s", async (path) => {
    expect(await failure(engine.scrape({ url: base() + path, waitFor: 1 }))).toMatchObject({
      code: "FORBIDDEN_ADDRESS",
    });
    expect(connections).toEqual([]);
  });
});

test("a variable of the environment opens no way past the proxy", async () => {
  vi.stubEnv("PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const url of addresses()) {
    expect(await failure(engine.scrape({ url, waitFor: 1 }, { team: "other" }))).toMatchObject({
      code: "FORBIDDEN_ADDRESS",
    });
  }
  expect(connections).toEqual([]);
});

/** Ways in which a page reaches for an address without being opened there. */
const ways: Readonly<Record<string, (to: string) => string>> = {
  fetch: (to) => `fetch("${to}").then((r) => r.text()).then((t) => document.body.append(t))`,
  "a frame": (to) => `document.body.insertAdjacentHTML("beforeend", '<iframe src="${to}"></iframe>')`,
  "a picture": (to) => `new Image().src = "${to}"`,
  "a script": (to) => `document.body.append(Object.assign(document.createElement("script"), { src: "${to}" }))`,
  "a WebSocket": (to) => `new WebSocket("${to.replace("http:", "ws:")}")`,
  "an event stream": (to) => `new EventSource("${to}")`,
  "a beacon": (to) => `navigator.sendBeacon("${to}", "x")`,
  "a pop-up": (to) => `window.open("${to}")`,
  "a prefetch": (to) =>
    `document.head.insertAdjacentHTML("beforeend", '<link rel="preconnect" href="${to}"><link rel="prefetch" href="${to}"><link rel="dns-prefetch" href="${to}">')`,
  "a worker": (to) => `new Worker("/worker.js?to=${to}").onmessage = ({ data }) => document.body.append(data)`,
  "a worker of its own making": (to) => `new Worker(URL.createObjectURL(new Blob(['fetch("${to}")'])))`,
  "a form": (to) =>
    `const f = document.createElement("form"); f.action = "${to}"; f.target = "x"; document.body.append(f); f.submit()`,
};

describe.concurrent("nothing inside is reached by", () => {
  test.each(Object.keys(ways))("%s", async (way) => {
    const code = addresses().map((to) => `try { ${ways[way]!(to)} } catch {}`);
    const { markdown } = await run([...code, `try { ${ways[way]!("/to-secret")} } catch {}`].join(";"), {
      formats: ["markdown", "screenshot"],
      blockAds: false,
    });
    expect(markdown).not.toContain("SECRET");
    expect(connections).toEqual([]);
  });

  test("a service worker, WebRTC and WebTransport of a page that may have them", async () => {
    // Only what is called secure has these: a page on loopback is.
    const own = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
    const { port } = stun.address();
    site.route("/sw.js", javascript(`fetch("http://127.0.0.2:${secretPort}/")`));
    const code = `document.body.append("secure: " + isSecureContext);
      const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" }] });
      c.createDataChannel("x"); c.createOffer().then((offer) => c.setLocalDescription(offer));
      try { new WebTransport("https://127.0.0.1:${port}/").ready.catch(() => {}) } catch {}
      navigator.serviceWorker.register("/sw.js").catch(() => {}); fetch("http://127.0.0.2:${secretPort}/").catch(() => {})`;
    const url = `${site.url}/run?code=${encodeURIComponent(code)}`;
    const { data } = await own.scrape({ url, waitFor: 1500 });
    await own.close();
    expect(data.markdown).toContain("secure: true");
    expect(packets).toBe(0);
    expect(connections).toEqual([]);
  });
});

test("a WebSocket to an allowed host works", async () => {
  // Not a full server: that the handshake arrives is enough.
  site.route("/socket", { status: 400 });
  await run(`new WebSocket("ws://allowed.example:${site.port}/socket")`);
  expect(site.requests.get("/socket")).toBe(1);
});

test("what a page no longer wants is no longer fetched from its site, though the page stays open", async () => {
  let isGone = false;
  site.route("/endless", async ({ response, signal }) => {
    response.writeHead(200).write("begun");
    await once(signal, "abort");
    isGone = true;
  });
  site.route("/is-gone", () => String(isGone));
  const code = `const end = new AbortController();
    fetch("/endless", { signal: end.signal }).then(async () => {
      end.abort();
      while (await (await fetch("/is-gone")).text() !== "true") await new Promise((resolve) => setTimeout(resolve, 50));
      document.body.id = "gone";
    });`;
  await run(code, { actions: [{ type: "wait", selector: "#gone" }], timeout: 60_000 });
  expect(isGone).toBe(true);
});
