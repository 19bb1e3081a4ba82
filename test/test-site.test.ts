/** The test site itself: that it is as hostile as it says, and counts right. */
import { once } from "node:events";
import { get as getTls } from "node:https";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import {
  charsetCases,
  hostile,
  hostileNames,
  startTestSite,
  type TestRoutes,
  type TestSite,
} from "../src/testing/index.ts";

let site: TestSite;
const start = async (routes?: TestRoutes, options?: Parameters<typeof startTestSite>[1]): Promise<TestSite> => {
  site = await startTestSite(routes, options);
  return site;
};
afterEach(() => site.close());

const text = async (path: string): Promise<string> => (await fetch(site.url + path)).text();

/** All bytes of an answer as they come over the wire, until the server or the limit ends it. */
async function wire(path: string, limit = 1_000_000): Promise<Buffer> {
  const socket = connect(site.port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of socket) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) break;
    }
  } catch (error) {
    chunks.push(Buffer.from(`\n${(error as NodeJS.ErrnoException).code}`));
  }
  return Buffer.concat(chunks);
}

describe("routes", () => {
  it("serves strings, answers, handlers, queries and the rest", async () => {
    await start({
      "/": "<h1>Home</h1>",
      "/old": { status: 301, headers: { location: "/" } },
      "/hello": ({ url, count }) => `Hello ${url.searchParams.get("name")} ${count}`,
      "/hello?name=exact": "exact",
      "/robots.txt": hostile("/big-robots/5000"),
    });
    expect(await text("/")).toBe("<h1>Home</h1>");
    expect((await fetch(`${site.url}/old`)).url).toBe(`${site.url}/`);
    expect(await text("/hello?name=Ann")).toBe("Hello Ann 1");
    expect(await text("/hello?name=Ann")).toBe("Hello Ann 2");
    expect(await text("/hello?name=exact")).toBe("exact");
    expect(await text("/robots.txt")).toMatch(/^User-agent: \*\nDisallow: \/private\/\n[\s\S]{4500,}at-the-end\/\n$/);
    expect((await fetch(`${site.url}/nothing`)).status).toBe(404);
    site.route("*", "anything");
    expect(await text("/nothing")).toBe("anything");
  });

  it("breaks off an answer whose route throws in the middle of it", async () => {
    await start({
      "/": ({ response }) => {
        response.writeHead(200).write("half of it");
        throw new Error("broken route");
      },
    });
    await expect(text("/")).rejects.toThrow();
  });

  it("answers 500 when a route throws", async () => {
    await start({ "/": () => Promise.reject(new Error("broken route")) });
    const answer = await fetch(site.url);
    expect([answer.status, await answer.text()]).toEqual([500, "Error: broken route"]);
  });

  it("counts requests and how many were open at once", async () => {
    await start({ "/a": { delay: 60, body: "a" }, "/b": "b" });
    await Promise.all([text("/a"), text("/a"), text("/a?x=1"), text("/b")]);
    expect(Object.fromEntries(site.requests)).toEqual({ "/a": 2, "/a?x=1": 1, "/b": 1 });
    expect(site.peakConcurrency("/a")).toBe(3);
    expect(site.peakConcurrency()).toBeGreaterThanOrEqual(3);
    expect(site.received.map((request) => request.method)).toEqual(["GET", "GET", "GET", "GET"]);
    site.clear();
    expect(site.requests.size + site.received.length + site.peakConcurrency()).toBe(0);
  });

  it("serves HTTPS with its own certificate", async () => {
    await start({ "/": "secret" }, { https: true });
    await expect(fetch(site.url)).rejects.toThrow();
    const [response] = await once(getTls(site.url, { ca: site.certificate!, agent: false }), "response");
    expect(response.statusCode).toBe(200);
    response.destroy();
  });

  it("destroys open connections when it closes", async () => {
    await start();
    const pending = [text("/slow-headers"), text("/endless-body").catch(String), text("/drip/0")].map((each) =>
      each.then(
        () => "answered",
        () => "broken",
      ),
    );
    await expect.poll(() => site.requests.size).toBe(3);
    await site.close();
    expect((await Promise.all(pending)).filter((each) => each === "broken").length).toBeGreaterThanOrEqual(2);
    await expect(fetch(site.url)).rejects.toThrow();
  });
});

describe("hostile connections", () => {
  it("keeps silent, drips and never ends", async () => {
    await start();
    await expect(fetch(`${site.url}/slow-headers`, { signal: AbortSignal.timeout(80) })).rejects.toThrow();
    const before = performance.now();
    expect(await text("/slow-headers/50")).toContain("Slow headers");
    expect(performance.now() - before).toBeGreaterThan(45);
    expect(String(await wire("/drip/1", 400))).toMatch(/drop /);
    expect((await wire("/endless-body", 5_000_000)).length).toBeGreaterThanOrEqual(5_000_000);
    expect((await wire("/header-flood", 2_000_000)).indexOf("\r\n\r\n")).toBe(-1);
  });

  it("listens to a connection as often at the end of a flood as at its beginning", async () => {
    const flood = hostile("/header-flood");
    let listeners = () => 0;
    await start({
      "/flood": (exchange) => {
        const { socket } = exchange.request;
        const before = socket.listenerCount("close");
        listeners = () => socket.listenerCount("close") - before;
        return flood(exchange);
      },
    });
    const socket = connect(site.port, "127.0.0.1");
    socket.write("GET /flood HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    let size = 0;
    for await (const chunk of socket) {
      size += chunk.length;
      if (size < 60_000_000) continue;
      expect(listeners()).toBeLessThan(4);
      break;
    }
    expect(size).toBeGreaterThan(0);
  });

  it("resets connections before and in the middle of a body", async () => {
    await start();
    expect(String(await wire("/reset"))).toMatch(/half of a page[\s\S]*ECONNRESET$/);
    expect(String(await wire("/reset-before-headers"))).toBe("\nECONNRESET");
  });

  it("lies about its length and its protocol", async () => {
    await start();
    const short = String(await wire("/content-length-short"));
    expect(short).toContain("Content-Length: 100\r\n");
    expect(short.split("\r\n\r\n")[1]!.length).toBeGreaterThan(100);
    await expect(text("/content-length-long")).rejects.toThrow();
    await expect(text("/not-http")).rejects.toThrow();
  });

  it("refuses connections after a number of requests", async () => {
    await start({}, { refuseAfter: 2 });
    await text("/page/1");
    await text("/page/2");
    await sleep(10);
    await expect(fetch(`${site.url}/page/3`)).rejects.toThrow();
    await site.close();
    await start();
    expect(await text("/refuse-after/1")).toContain("One of the last");
    await expect(fetch(`${site.url}/page/3`)).rejects.toThrow();
  });

  it("recovers from 429 and 503", async () => {
    await start();
    const first = await fetch(`${site.url}/too-many-requests/1/3`);
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "3"]);
    expect((await fetch(`${site.url}/too-many-requests/1/3`)).status).toBe(200);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await fetch(`${site.url}/unavailable/2`)).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect((await fetch(`${site.url}/status/418`)).status).toBe(418);
    const echo = await fetch(`${site.url}/echo`, { headers: { "x-own": "yes" } });
    expect(await echo.json()).toMatchObject({ method: "GET", headers: { "x-own": "yes" } });
  });
});

describe("hostile redirects", () => {
  it("chains, loops, goes on for ever, leaves the site", async () => {
    await start();
    expect(await text("/redirect/3")).toContain("End of the redirects");
    expect(site.requests.has("/redirect/0")).toBe(true);
    await expect(text("/redirect-loop")).rejects.toThrow();
    await expect(text("/redirect-forever")).rejects.toThrow();
    const { statusCode, headers } = await request(`${site.url}/redirect-to?status=307&url=http://10.0.0.1/`);
    expect([statusCode, headers["location"]]).toEqual([307, "http://10.0.0.1/"]);
  });

  it("shows a page only to those who bring the cookie back", async () => {
    await start();
    const first = await request(`${site.url}/cookie-wall`);
    expect(first.statusCode).toBe(302);
    const cookie = String(first.headers["set-cookie"]).split(";")[0]!;
    expect(await (await fetch(`${site.url}/cookie-wall`, { headers: { cookie } })).text()).toContain(
      "Behind the cookie",
    );
  });
});

describe("odd bodies", () => {
  it("encodes", async () => {
    await start();
    for (const encoding of ["gzip", "deflate", "deflate-raw", "br", "gzip-twice"]) {
      expect(await text(`/encoded/${encoding}`)).toContain(`Encoded as ${encoding}`);
    }
    const zstd = await request(`${site.url}/encoded/zstd`);
    expect(String(zstdDecompressSync(Buffer.from(await zstd.body.arrayBuffer())))).toContain("Encoded as zstd");
    await expect(text("/encoded/not-gzip")).rejects.toThrow();
    expect((await wire("/gzip-bomb/1000", 10_000_000)).length).toBeLessThan(2_000_000);
    expect((await text("/gzip-bomb/3")).length).toBe(3 << 20);
  });

  it("has charsets that a decoder has to get right", async () => {
    await start();
    for (const [name, [, , bytes]] of Object.entries(charsetCases)) {
      const body = Buffer.from(await (await fetch(`${site.url}/charset/${name}`)).arrayBuffer());
      expect(body.includes(Buffer.from(bytes)), name).toBe(true);
    }
    expect(new TextDecoder("shift_jis").decode(charsetCases.shift_jis[2])).toBe(charsetCases.shift_jis[3]);
    expect(new TextDecoder("euc-jp").decode(charsetCases["euc-jp-meta"][2])).toBe("日本語");
    expect(new TextDecoder("windows-1251").decode(charsetCases["windows-1251-meta"][2])).toBe("Привет");
  });

  it("is as large and as deep as asked", async () => {
    await start();
    expect((await text("/big-page/3000000")).length).toBeGreaterThan(3_000_000);
    expect((await text("/deep/1000")).split("<div>").length).toBe(1001);
    expect(await text("/nul-bytes")).toContain("\0");
    expect(await text("/empty")).toBe("");
  });
});

describe("too many pages", () => {
  it("has graphs, calendars, link lists and sitemaps", async () => {
    await start({ "/sitemap.xml": hostile("/self-sitemap") });
    const seen = new Set<string>();
    const open = ["/graph/30/3/0"];
    for (let path = open.pop(); path; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const [, link] of (await text(path)).matchAll(/href="([^"]+)"/g)) open.push(link!);
    }
    expect(seen.size).toBe(30);
    expect((await fetch(`${site.url}/graph/30/3/30`)).status).toBe(404);
    expect((await text("/links/2500")).match(/<a /g)).toHaveLength(2500);
    expect(await text("/calendar?month=2&seen=1")).toContain('href="/calendar?month=2&amp;seen=1&amp;seen=2"');
    expect((await text("/sitemap/1500")).match(/<loc>/g)).toHaveLength(1500);
    expect(await text("/sitemap.xml")).toContain(`<loc>${site.url}/sitemap.xml</loc>`);
    expect((await text("/sitemap-index/3/5")).match(/<loc>/g)).toHaveLength(3);
  });
});

it("lists its behaviours", async () => {
  await start();
  expect(hostileNames).toContain("gzip-bomb");
});
