/** robots.txt and sitemaps are asked for as the pages are: through the same proxies, certificates and passwords. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Server } from "proxy-chain";
import { expect, onTestFinished, test } from "vitest";
import { createEngine, type EngineOptions, type ScrapeOptions } from "../src/index.ts";
import { httpServer, httpsServer } from "./network-server.ts";

const files: Readonly<Record<string, string>> = {
  "/": `<h1>Home</h1><p>Some text to read.</p><a href="/linked">one</a><a href="/hidden">two</a>`,
  "/robots.txt": "User-agent: *\nDisallow: /hidden",
  "/sitemap.xml": "<urlset><url><loc>/listed</loc></url></urlset>",
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? "";
  if (!path.endsWith(".txt")) response.setHeader("content-type", path.endsWith(".xml") ? "text/xml" : "text/html");
  response.end(files[path] ?? "<h1>A page</h1><p>Some text to read.</p>");
}

function answerWithPassword(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.authorization === "Basic bWU6cHc=") answer(request, response);
  else response.writeHead(401).end();
}

/** A proxy that notes the connections it was asked for. */
async function startProxy() {
  const asked: string[] = [];
  const server = new Server({
    port: 0,
    host: "127.0.0.1",
    prepareRequestFunction({ hostname, port }) {
      asked.push(`${hostname}:${port}`);
      return {};
    },
  });
  await server.listen();
  onTestFinished(() => server.close(true));
  return { url: `http://127.0.0.1:${server.port}`, asked };
}

function engineWith(options: EngineOptions = {}) {
  const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] }, browser: false, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

async function crawled(url: string, scrapeOptions: ScrapeOptions = {}, engine = engineWith()) {
  const status = await (await engine.crawl({ url, scrapeOptions })).wait();
  const paths = status.data.map(
    ({ metadata }) => `${new URL(metadata.sourceURL ?? "").pathname} ${metadata.statusCode}`,
  );
  return paths.sort();
}

const whatTheFilesAllow = ["/ 200", "/linked 200", "/listed 200"];

test("through the proxies of the pages, and by no other way", async () => {
  const proxy = await startProxy();
  // Nobody but the proxy gets to the site: it takes one connection for each that the proxy was asked for.
  const site = await httpServer(answer);
  const basic = engineWith({ proxies: { basic: [proxy.url] } });
  expect(await crawled(site.url(), {}, basic)).toEqual(whatTheFilesAllow);
  expect((await basic.map({ url: site.url() })).links).toHaveLength(4);
  const stealth = engineWith({ proxies: { stealth: [proxy.url] } });
  expect(await crawled(site.url(), { proxy: "stealth" }, stealth)).toEqual(whatTheFilesAllow);
  expect(proxy.asked).toHaveLength(site.sockets.opened);
});

test("a site whose certificate is not verified keeps its rules and its sitemap", async () => {
  const site = await httpsServer(answer);
  expect(await crawled(site.url(), { skipTlsVerification: true })).toEqual(whatTheFilesAllow);
});

test("a password, in the start's address or in a header, opens them too", async () => {
  const site = await httpServer(answerWithPassword);
  const withPassword = site.url().replace("://", "://me:pw@");
  expect(await crawled(withPassword)).toEqual(whatTheFilesAllow);
  expect(await crawled(site.url(), { headers: { Authorization: "Basic bWU6cHc=" } })).toEqual(whatTheFilesAllow);
  const { links } = await engineWith().map({ url: withPassword });
  expect(links.map((link) => new URL(link).pathname)).toContain("/listed");
});

/** A proxy that takes the given ports for the usual ones, which are not free for tests. */
async function startUsualPorts(ports: Readonly<Record<string, number>>): Promise<string> {
  const server = createServer();
  server.on("connect", ({ url = "" }, client) => {
    const upstream = connect(ports[url.slice(url.lastIndexOf(":") + 1)] ?? 0, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    client.on("error", () => {}).on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["in the start's address", "http://me:pw@site.test/", {}],
  ["in a header", "site.test", { Authorization: "Basic bWU6cHc=" }],
])(
  "a password %s is good for the https to which a site leads from http, also in a browser",
  async (_where, url, headers) => {
    const secure = await httpsServer(answerWithPassword);
    const plain = await httpServer(({ url }, response) => {
      response.writeHead(301, { location: `https://site.test${url}` }).end();
    });
    const proxy = await startUsualPorts({ 80: plain.port, 443: secure.port });
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const engine = engineWith({
      network: { lookup, allowHosts: ["site.test"] },
      proxies: { basic: [proxy] },
      browser: {},
    });
    expect(await crawled(url, { headers, skipTlsVerification: true }, engine)).toEqual(whatTheFilesAllow);
    const rendered = { headers, skipTlsVerification: true, waitFor: 1, timeout: 30_000 };
    const { metadata } = (await engine.scrape({ url, ...rendered })).data;
    expect(metadata).toMatchObject({ statusCode: 200, url: "https://site.test/", engine: "browser" });
  },
);
