/** Answers whose head breaks the rules of HTTP in a way that browsers read over. */
import { describe, expect, test } from "vitest";
import { cpuTime } from "./cpu-time.ts";
import { failure } from "./failure.ts";
import { httpServer, rawServer, testClient, text, until } from "./network-server.ts";

const ok = "HTTP/1.1 200 OK\r\n";
const chunked = "5\r\nhello\r\n0\r\n\r\n";

describe("a head that is not quite HTTP", () => {
  test.each([
    ["lines that end with a line feed alone", "HTTP/1.1 200 OK\ncontent-type: text/x\ncontent-length: 5\n\nhello"],
    ["a folded line", `${ok}content-type: text/x\r\nx-long: a\r\n  b\r\ncontent-length: 5\r\n\r\nhello`],
    ["white space behind a name", `${ok}content-type : text/x\r\ncontent-length : 5\r\n\r\nhello`],
    ["a line that is no header", `${ok}content-type: text/x\r\nnonsense\r\n: none\r\ncontent-length: 5\r\n\r\nhello`],
    ["a name that none can be", `${ok}content-type: text/x\r\nx(y): z\r\ncontent-length: 5\r\n\r\nhello`],
    ["control characters in a value", `${ok}content-type: text/x\r\nx-a: \x00b\rc\r\ncontent-length: 5\r\n\r\nhello`],
    ["its length said twice", `${ok}content-type: text/x\r\ncontent-length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ["its length said twice in a line", `${ok}content-type: text/x\r\ncontent-length: 5, 5\r\n\r\nhello`],
    ["no length behind the name", `${ok}content-type: text/x\r\ncontent-length: \r\nconnection: close\r\n\r\nhello`],
    ["a length below nothing", `${ok}content-type: text/x\r\ncontent-length: -1\r\n\r\nhello`],
    ["a length that is no number", `${ok}content-type: text/x\r\ncontent-length: unknown\r\n\r\nhello`],
    [
      "a length besides chunks",
      `${ok}content-type: text/x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
    ],
    [
      "a transfer as it is",
      `${ok}content-type: text/x\r\ncontent-length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello`,
    ],
    [
      "a 100 before it that nobody asked for",
      `HTTP/1.1 100 Continue\r\n\r\n${ok}content-type: text/x\r\ncontent-length: 5\r\n\r\nhello`,
    ],
  ])("is read with %s", async (_, answer) => {
    const server = await rawServer((socket) => socket.end(answer, "latin1"));
    const { statusCode, headers, body } = await testClient().request({ url: server.url() });
    expect({ statusCode, type: headers["content-type"], body: text(body) }).toEqual({
      statusCode: 200,
      type: "text/x",
      body: "hello",
    });
  });

  test("is not read on without an end", async () => {
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\n");
      const timer = setInterval(() => socket.write("x-more: and more\n".repeat(1000)), 1);
      socket.on("close", () => clearInterval(timer));
    });
    const request = { url: server.url(), signal: AbortSignal.timeout(5000) };
    expect(await failure(testClient().request(request))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    await until(() => server.sockets.open === 0, "the connection to be closed");
  });

  test("is no reason to send again what must not be sent twice", async () => {
    let requests = 0;
    const server = await rawServer((socket) => {
      requests += 1;
      socket.end("HTTP/1.1 200 OK\ncontent-length: 5\n\nhello");
    });
    const error = await failure(testClient().request({ url: server.url(), method: "POST", body: "x" }));
    expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    expect(requests).toBe(1);
  });

  test("is read wherever it is cut, and large bodies behind it are whole", async () => {
    const head = "HTTP/1.1 200 OK\nset-cookie: a=b\nx-a: 1\nx-a: 2\n\n";
    const part = "0123456789".repeat(1000);
    const server = await rawServer(async (socket) => {
      for (const sign of head) {
        socket.write(sign);
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.end(part.repeat(500));
    });
    const { headers, body } = await testClient().request({ url: server.url() });
    expect(headers).toMatchObject({ "x-a": "1, 2" });
    expect(body.byteLength).toBe(part.length * 500);
  });

  test("is read at once, however much white space is in it", async () => {
    const status = `HTTP/1.1 200${" ".repeat(40_000)}\rx\ry`;
    const server = await rawServer((socket) => socket.end(`${status}\r\ncontent-length: 5\r\n\r\nhello`));
    const begun = cpuTime();
    const { statusCode, body } = await testClient().request({ url: server.url() });
    expect({ statusCode, body: text(body) }).toEqual({ statusCode: 200, body: "hello" });
    expect(cpuTime() - begun).toBeLessThan(2000);
  });

  test("leads on, with its cookies", async () => {
    const server = await rawServer((socket, head) => {
      if (head.startsWith("GET /to ")) socket.end(`${ok}\r\n${/cookie: (.*)\r\n/.exec(head)?.[1]}`);
      else socket.end("HTTP/1.1 302 Found\nlocation: /to\nset-cookie: a=b\n\n");
    });
    const answer = await testClient().request({ url: server.url("/from") });
    expect(answer.url).toBe(server.url("/to"));
    expect(text(answer.body)).toBe("a=b");
  });

  test.each([
    ["lengths that differ", `${ok}content-length: 5\r\ncontent-length: 4\r\n\r\nhello`],
    ["another protocol", "220 mail.example ESMTP\r\n"],
    ["no head", "<p>hello</p>"],
    ["a status that is none", "HTTP/1.1 000 None\r\ncontent-length: 5\r\n\r\nhello"],
  ])("%s are no answer", async (_, answer) => {
    const server = await rawServer((socket) => socket.write(answer));
    const error = await failure(testClient().request({ url: server.url(), signal: AbortSignal.timeout(5_000) }));
    expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR", message: expect.stringContaining("valid HTTP") });
    await until(() => server.sockets.open === 0, "the connections to be closed");
  });

  test("passes the guard again", async () => {
    const server = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\n\nhello"));
    let asked = 0;
    const client = testClient({
      allowPrivateAddresses: false,
      allowHosts: ["127.0.0.1"],
      // The second time the name is another address.
      lookup: async () => [{ address: asked++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
    });
    expect(await failure(client.request({ url: server.url("/", "site.test") }))).toMatchObject({
      code: "FORBIDDEN_ADDRESS",
    });
  });

  test("is waited for no longer than the signal allows, while the name is looked up again too", async () => {
    const server = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\n\nhello"));
    let asked = 0;
    const lookup = async () =>
      asked++ === 0 ? [{ address: "127.0.0.1", family: 4 as const }] : new Promise<never>(() => {});
    const signal = AbortSignal.timeout(500);
    const request = testClient({ lookup }).request({ url: server.url("/", "site.test"), signal });
    expect(await failure(request)).toBe(signal.reason);
    expect(asked).toBe(2);
  });

  test("is sent to again only where that does no harm", async () => {
    const server = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\n\nhello"));
    await failure(testClient().request({ url: server.url(), method: "POST", body: "x" }));
    expect(server.sockets.opened).toBe(1);
  });

  test("and a body without end are broken off by the cap, by the signal and by the client's end", async () => {
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\n\n");
      const flood = setInterval(() => socket.write("x".repeat(100_000)), 1);
      socket.on("close", () => clearInterval(flood));
    });
    const client = testClient();
    const url = server.url();
    expect(await failure(client.request({ url, maxBodyBytes: 1_000_000 }))).toMatchObject({ message: /too large/ });
    const signal = AbortSignal.timeout(300);
    expect(await failure(client.request({ url, signal }))).toBe(signal.reason);
    const asked = failure(client.request({ url }));
    await until(() => server.sockets.opened >= 6, "the last request");
    await client.close();
    expect(await asked).toMatchObject({ code: "ENGINE_CLOSED" });
    await until(() => server.sockets.open === 0, "the connections to be closed");
  });

  test("and another protocol than was asked for is refused, and the connection let go of", async () => {
    const server = await rawServer((socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\nupgrade: other\nconnection: upgrade\n\n"),
    );
    expect(await failure(testClient().request({ url: server.url() }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    await until(() => server.sockets.opened === 2 && server.sockets.open === 0, "the connections to be closed");
  });

  test("does not change how others are asked", async () => {
    const server = await httpServer((_, response) => response.end("hello"));
    const client = testClient();
    for (let count = 0; count < 3; count++) await client.request({ url: server.url() });
    expect(server.sockets.opened).toBe(1);
  });
});
