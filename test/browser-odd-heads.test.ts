/** Answers over HTTP whose head breaks its rules: what the browser would read by itself passes its proxy too. */
import { expect, onTestFinished, test } from "vitest";
import { startTestSite } from "../src/testing/index.ts";
import { httpServer, rawServer } from "./network-server.ts";
import { engineFor } from "./start-engine.ts";

const page = "<!doctype html><title>Odd</title><main><p>A page to read.</p><script src=/script></script></main>";

test.each([
  ["bare line feeds", "\n", ""],
  ["a line that is no header", "\r\n", "nonsense\r\n"],
  ["its length said twice", "\r\n", `content-length: ${page.length}\r\n`],
])("a page with %s is rendered", async (_, end, odd) => {
  const server = await rawServer((socket, head) => {
    const body = head.startsWith("GET / ")
      ? page
      : "document.querySelector('p').append(' And more.')".padEnd(page.length);
    const type = body === page ? "text/html" : "text/javascript";
    socket.end(
      `HTTP/1.1 200 OK${end}content-type: ${type}${end}${odd}content-length: ${page.length}${end}${end}${body}`,
    );
  });
  const { data } = await engineFor({}).scrape({ url: server.url(), waitFor: 1, timeout: 60_000 });
  expect(data.markdown).toContain("A page to read. And more.");
});

const size = page.length.toString(16);
test.each([
  ["spaces behind the sizes of its chunks", `transfer-encoding: chunked\r\n\r\n${size}  \r\n${page}\r\n0\r\n\r\n`],
  ["something behind its last chunk", `transfer-encoding: chunked\r\n\r\n${size}\r\n${page}\r\n0\r\n\r\nmore`],
  ["more than the length that it announces", `content-length: ${page.length}\r\n\r\n${page}more`],
])("a page with %s is rendered, too", async (_, rest) => {
  const server = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${rest}`));
  const { data } = await engineFor({}).scrape({ url: server.url(), waitFor: 1, timeout: 60_000 });
  expect(data).toMatchObject({ markdown: "A page to read.", metadata: { engine: "browser" } });
});

test("a file in chunks is whole, whatever length its head announces", async () => {
  const server = await startTestSite(
    {
      "/file.csv": ({ response }) => {
        const head = "content-type: text/csv\r\ncontent-length: 2000\r\ntransfer-encoding: chunked";
        response.socket?.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n8\r\na,b\n1,2\n\r\n0\r\n\r\n`);
      },
    },
    { https: true },
  );
  onTestFinished(() => server.close());
  const url = `${server.url}/file.csv`;
  const { data } = await engineFor({}).scrape({ url, skipTlsVerification: true, waitFor: 1, timeout: 60_000 });
  expect(data.markdown).toContain("a,b\n1,2");
});

test("a site that asks for the password of a proxy gets none, and its answer is the page, as over HTTP", async () => {
  const asked: (string | undefined)[] = [];
  const server = await httpServer((request, response) => {
    if (request.url === "/") asked.push(request.headers["proxy-authorization"]);
    response.writeHead(407, { "proxy-authenticate": 'Basic realm="site"', "content-type": "text/html" });
    response.end("<main><p>A password is wanted.</p></main>");
  });
  const { data } = await engineFor({}).scrape({ url: server.url(), waitFor: 1, timeout: 60_000 });
  expect(data).toMatchObject({ markdown: "A password is wanted.", metadata: { statusCode: 407, engine: "browser" } });
  expect(asked).toEqual([undefined]);
});

test("as many headers as a caller may give are sent", async () => {
  let received = "";
  const server = await rawServer((socket, part) => {
    received += part;
    if (received.endsWith("\r\n\r\n")) socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n${page}`);
  });
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "v".repeat(16_384)]));
  const { data } = await engineFor({}).scrape({ url: server.url(), headers, waitFor: 1, timeout: 60_000 });
  expect(data.markdown).toContain("A page to read.");
  for (const [name, value] of Object.entries(headers)) expect(received).toContain(`${name}: ${value}\r\n`);
});
