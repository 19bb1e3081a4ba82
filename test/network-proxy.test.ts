import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { failure } from "./failure.ts";
import { certificate, httpServer, httpsServer, rawServer, testClient, text, until } from "./network-server.ts";

/** A proxy for CONNECT; notes whom it was asked for and with which credentials. */
async function proxyServer(credentials?: string) {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  const sockets = new Set<{ destroy(): void }>();
  server.on("connect", (request, client) => {
    asked.push(request.url ?? "");
    sockets.add(client);
    client.on("error", () => {});
    const given = request.headers["proxy-authorization"];
    if (credentials && given !== `Basic ${Buffer.from(credentials).toString("base64")}`) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const target = new URL(`http://${request.url}`);
    const upstream = connect(Number(target.port || 80), target.hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    // Also before the tunnel stands, when nothing is piped yet.
    client.on("close", () => upstream.destroy());
    upstream.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

describe("through a proxy", () => {
  test("http and https pages arrive, with credentials for the proxy", async () => {
    const proxy = await proxyServer("us er:p@ss");
    const plain = await httpServer((request, response) => response.end(`plain ${request.headers.host}`));
    const names = new Set<unknown>();
    const secure = await httpsServer(({ socket }, response) => {
      names.add("servername" in socket && socket.servername);
      response.end("secure");
    });
    const client = testClient({ ca: certificate });
    const through = `http://us%20er:p%40ss@127.0.0.1:${proxy.port}`;
    for (let round = 0; round < 3; round += 1) {
      const answer = await client.request({ url: plain.url("/", "plain.test"), proxy: through });
      expect(text(answer.body)).toBe(`plain plain.test:${plain.port}`);
      const other = await client.request({ url: secure.url("/", "secure.test"), proxy: through });
      expect(text(other.body)).toBe("secure");
    }
    const dotted = { url: secure.url("/", "a.secure.test."), proxy: through };
    expect(text((await client.request(dotted)).body)).toBe("secure");
    expect(names).toEqual(new Set(["secure.test", "a.secure.test"]));
    // One tunnel for each name, to the address that the guard has seen.
    expect(proxy.asked).toEqual([plain, secure, secure].map(({ port }) => `127.0.0.1:${port}`));
  });

  test("the target is guarded, the proxy is not", async () => {
    const proxy = await proxyServer();
    const server = await httpServer((_, response) => response.end("inside"));
    const client = testClient({ allowPrivateAddresses: false, allowHosts: ["ok.test"] });
    const through = `http://127.0.0.1:${proxy.port}`;
    expect(text((await client.request({ url: server.url("/", "ok.test"), proxy: through })).body)).toBe("inside");
    for (const host of ["127.0.0.1", "other.test", "[::1]"]) {
      expect(await failure(client.request({ url: server.url("/", host), proxy: through }))).toMatchObject({
        code: "FORBIDDEN_ADDRESS",
      });
    }
    expect(proxy.asked).toHaveLength(1);
  });

  test("certificates are verified as without one", async () => {
    const proxy = await proxyServer();
    const server = await httpsServer((_, response) => response.end("secure"));
    const request = { url: server.url("/", "secure.test"), proxy: `http://127.0.0.1:${proxy.port}` };
    const client = testClient();
    expect(await failure(client.request(request))).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
    expect(text((await client.request({ ...request, skipTlsVerification: true })).body)).toBe("secure");
  });

  test("its failures name it and never its credentials", async () => {
    const server = await httpServer((_, response) => response.end("ok"));
    const strict = await proxyServer("right:secret");
    const silent = await rawServer((socket) => socket.end());
    const strictAboutPorts = await rawServer((socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const chatty = await rawServer((socket) => socket.write("x".repeat(20_000)));
    const failures: [port: number, message: RegExp, retryable: boolean][] = [
      [strict.port, /credentials \(407\)/, false],
      [silent.port, /closed the connection/, true],
      [chatty.port, /valid HTTP/, false],
      [strictAboutPorts.port, /permits no tunnel to port \d+ of the site \(403\)/, true],
      [1, /could not be reached \(ECONNREFUSED\)/, true],
    ];
    for (const [port, message, retryable] of failures) {
      const proxy = `http://wrong:hidden@127.0.0.1:${port}`;
      const error = await failure(testClient().request({ url: server.url(), proxy }));
      expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable });
      expect(error.message).toMatch(message);
      expect(error.message).toContain(`127.0.0.1:${port}`);
      expect(error.message).not.toMatch(/hidden|wrong/);
    }
    const dead = { url: "http://127.0.0.1:1/", proxy: `http://right:secret@127.0.0.1:${strict.port}` };
    expect((await failure(testClient().request(dead))).message).toMatch(/no tunnel to the site \(502\)/);
  });

  test("a proxy that says no is not asked for the other addresses of the host, and let go of", async () => {
    let asked = 0;
    const proxy = await rawServer((socket) => {
      asked += 1;
      socket.write("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    const lookup = async () => ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    const client = testClient({ lookup });
    const request = { url: "http://several.test/", proxy: `http://127.0.0.1:${proxy.port}` };
    expect((await failure(client.request(request))).message).toContain("(407)");
    expect(asked).toBe(1);
    await until(() => proxy.sockets.open === 0, "the socket to be closed");
  });

  test("a proxy is asked for three addresses of a host, those that every proxy reaches first", async () => {
    const asked: string[] = [];
    const proxy = await rawServer((socket, head) => {
      asked.push(head.split(" ", 2)[1] ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    const addresses = ["::1", "127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"];
    const lookup = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const request = { url: "http://several.test/", proxy: `http://127.0.0.1:${proxy.port}` };
    expect((await failure(testClient({ lookup }).request(request))).message).toContain("(502)");
    expect(asked).toEqual(["127.0.0.1:80", "127.0.0.2:80", "127.0.0.3:80"]);
  });

  test("a proxy that is no http URL is refused without repeating it", async () => {
    for (const proxy of ["socks5://u:hidden@127.0.0.1:1", "hidden", ""]) {
      const error = await failure(testClient().request({ url: "http://a.test/", proxy }));
      expect(error).toMatchObject({ code: "BAD_REQUEST" });
      expect(error.message).not.toContain("hidden");
    }
  });

  test("an abort closes the way through it", async () => {
    const proxy = await proxyServer();
    const server = await httpServer((_, response) => response.write("x"));
    const stuck = await rawServer(() => {});
    for (const port of [proxy.port, stuck.port]) {
      const controller = new AbortController();
      const request = { url: server.url(), proxy: `http://127.0.0.1:${port}`, signal: controller.signal };
      const outcome = failure(testClient().request(request));
      await until(() => (port === stuck.port ? stuck : server).sockets.open === 1);
      controller.abort();
      expect(await outcome).toBe(controller.signal.reason);
    }
    await until(() => server.sockets.open === 0 && stuck.sockets.open === 0, "the sockets to be closed");
  });
});
