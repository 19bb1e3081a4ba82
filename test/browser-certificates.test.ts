/** Pages in the browser with certificates of authorities that only the host knows, and nothing let through for that. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { loopbackCertificate } from "../src/fetch/loopback-certificate.ts";
import { startTestSite, type TestSite, testOnlyCertificate } from "../src/testing/index.ts";
import type { TestRoutes } from "../src/testing/test-site-answer.ts";
import { engineFor, site } from "./start-engine.ts";

const rendered = { waitFor: 1 } as const;
const note = "A sentence for the reader, so that the page is one. ".repeat(3);
const trusted = { ca: [loopbackCertificate().cert, testOnlyCertificate.cert] };

async function secureSite(routes: TestRoutes): Promise<TestSite> {
  const secure = await startTestSite(routes, { https: true });
  onTestFinished(() => secure.close());
  return secure;
}

test("a page and its scripts, from a host that network.ca vouches for", async () => {
  const secure = await secureSite({
    "/": `<h1>Inside</h1><p>${note}</p><p id="out"></p><script src="/app.js"></script>`,
    "/app.js": {
      headers: { "content-type": "text/javascript" },
      body: `fetch("/data").then((r) => r.text()).then((text) => { out.textContent = text + " " + isSecureContext; });`,
    },
    "/data": "from the intranet",
  });
  const network = { allowHosts: ["127.0.0.1"], ...trusted };
  const { data } = await engineFor({ network }).scrape({ url: secure.url, ...rendered });
  expect(data.markdown).toContain("from the intranet true");
  expect(data.metadata).toMatchObject({ engine: "browser", statusCode: 200 });
  await expect(engineFor().scrape({ url: secure.url, ...rendered })).rejects.toMatchObject({
    code: "SCRAPE_SSL_ERROR",
  });
});

test("a certificate of nobody known, or for another name, is refused as ever", async () => {
  const secure = await secureSite({ "/": note, "/secret.js": "document.title = 'run'" });
  const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
  const allowHosts = ["127.0.0.1", "other.example"];
  const otherName = `https://other.example:${secure.port}`;
  const engine = engineFor({ network: { allowHosts, lookup, ...trusted } });
  const stranger = engineFor({ network: { allowHosts, lookup, ca: loopbackCertificate().cert } });
  for (const [asked, url] of [
    [engine, otherName],
    [stranger, secure.url],
  ] as const) {
    await expect(asked.scrape({ url, ...rendered })).rejects.toMatchObject({ code: "SCRAPE_SSL_ERROR" });
    const { data } = await asked.scrape({ url, ...rendered, skipTlsVerification: true });
    expect(data.markdown).toContain("A sentence");
    // The permission was for that one request.
    await expect(asked.scrape({ url, ...rendered })).rejects.toMatchObject({ code: "SCRAPE_SSL_ERROR" });
  }
  secure.clear();
  const open = await site({ "/": `<p>${note}</p><script src="${otherName}/secret.js"></script>` });
  await engine.scrape({ url: open.url, ...rendered });
  expect(secure.requests.get("/secret.js")).toBeUndefined();
});

test("with network.ca pages and WebSockets without TLS work, and the guard decides about all", async () => {
  const echo = createServer();
  echo.on("upgrade", (request, socket) => {
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    socket.on("error", () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from("hello")]));
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void echo.close().closeAllConnections());
  const { port } = echo.address() as AddressInfo;
  const open = await site({
    "/": `<p>${note}</p><p id="out"></p><script>new WebSocket("ws://127.0.0.1:${port}/").onmessage = (event) => { out.textContent = "said " + event.data; }</script>`,
  });
  const secure = await secureSite({ "/": note });
  const engine = engineFor({ network: { allowHosts: ["127.0.0.1"], ...trusted } });
  const { data } = await engine.scrape({ url: open.url, waitFor: 200 });
  expect(data.markdown).toContain("said hello");
  const inside = `https://127.0.0.2:${secure.port}`;
  await expect(engine.scrape({ url: inside, ...rendered })).rejects.toMatchObject({ code: "FORBIDDEN_ADDRESS" });
});
