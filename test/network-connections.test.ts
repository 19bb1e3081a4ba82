import { execFile } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { createConnections } from "../src/fetch/connections.ts";
import { createConnectors } from "../src/fetch/connectors.ts";
import { exchange } from "../src/fetch/exchange.ts";
import { testOnlyCertificate } from "../src/testing/index.ts";
import { failure } from "./failure.ts";
import {
  certificate,
  httpServer,
  httpsServer,
  rawServer,
  redirectTo,
  testClient,
  text,
  until,
} from "./network-server.ts";

const ok = httpServer.bind(null, (request, response) => {
  request.resume();
  response.end("ok");
});

describe("keeping connections", () => {
  test("requests one after the other share one", async () => {
    const server = await ok();
    const client = testClient();
    for (let round = 0; round < 20; round += 1) await client.request({ url: server.url(`/${round}`) });
    expect(server.sockets.opened).toBe(1);
  });

  test("redirects within an origin use one", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === "/xxxxx") response.end("end");
      else redirectTo(`${request.url}x`)(request, response);
    });
    expect(text((await testClient().request({ url: server.url() })).body)).toBe("end");
    expect(server.sockets.opened).toBe(1);
  });

  test("requests at once have one each, and those after them use the same", async () => {
    const server = await ok();
    const client = testClient();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => client.request({ url: server.url() })));
    }
    expect(server.sockets.opened).toBe(8);
  });

  test("a server that closes after each answer, announced or not, is asked again", async () => {
    const announced = await httpServer((_, response) => response.writeHead(200, { connection: "close" }).end("ok"));
    const silent = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    const client = testClient();
    for (const server of [announced, silent]) {
      for (let round = 0; round < 10; round += 1) {
        expect(text((await client.request({ url: server.url() })).body)).toBe("ok");
      }
    }
  });

  test.each([
    ["closed", (socket: Socket) => socket.end()],
    ["reset", (socket: Socket) => socket.resetAndDestroy()],
  ])("a connection that is %s just when the next request goes out is replaced, for GET only", async (_, end) => {
    const requests = new Map<Socket, number>();
    const server = await rawServer((socket) => {
      const count = (requests.get(socket) ?? 0) + 1;
      requests.set(socket, count);
      if (count === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      else end(socket);
    });
    const client = testClient();
    await client.request({ url: server.url() });
    expect(text((await client.request({ url: server.url() })).body)).toBe("ok");
    expect(server.sockets.opened).toBe(2);
  });

  test("a connection whose user the server knows serves nobody else", async () => {
    const users = new WeakMap<object, string>();
    // As servers of the protocols Negotiate and NTLM do, which know the user of a connection from then on.
    const server = await httpServer(({ headers, socket }, response) => {
      if (headers.authorization !== undefined) users.set(socket, headers.authorization);
      response.end(users.get(socket) ?? "nobody");
    });
    const client = testClient();
    for (const authorization of ["Negotiate me", "NTLM me"]) {
      const mine = await client.request({ url: server.url(), headers: { authorization } });
      expect(text(mine.body)).toBe(authorization);
      expect(text((await client.request({ url: server.url() })).body)).toBe("nobody");
    }
  });

  test("a POST is never sent twice", async () => {
    const heads: string[] = [];
    const server = await rawServer((socket, head) => {
      heads.push(head);
      if (heads.length === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      else socket.end();
    });
    const client = testClient();
    await client.request({ url: server.url() });
    expect(await failure(client.request({ url: server.url(), method: "POST", body: "x" }))).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      retryable: true,
    });
    expect(heads).toHaveLength(2);
  });

  test("a crawl over very many hosts keeps few pools", async () => {
    const server = await ok();
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const connections = createConnections(createConnectors({ allowPrivateAddresses: true, lookup }));
    const route = { skipTlsVerification: false };
    for (let host = 0; host < 600; host += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const url = new URL(server.url("/", `h${host + index}.test`));
          const asked = { method: "GET", path: "/", headers: {} } as const;
          const answer = await exchange(connections, url, route, asked, undefined, true);
          for await (const _chunk of answer.body);
        }),
      );
      expect(connections.size).toBeLessThanOrEqual(120);
    }
    await until(() => server.sockets.open <= 100, "idle sockets to be closed");
    await connections.close();
    expect(connections.size).toBe(0);
    await until(() => server.sockets.open === 0, "all sockets to be closed");
  });
});

describe("aborting", () => {
  const forever = () =>
    httpServer((request, response) => {
      if (request.url === "/head") return;
      response.write("x".repeat(100));
    });

  test("before it begins", async () => {
    const server = await ok();
    const reason = { any: "value" };
    expect(await failure(testClient().request({ url: server.url(), signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.sockets.opened).toBe(0);
  });

  test.each(["/head", "/body"])("while waiting for the %s closes the socket", async (path) => {
    const server = await forever();
    const controller = new AbortController();
    const outcome = failure(testClient().request({ url: server.url(path), signal: controller.signal }));
    await until(() => server.sockets.open === 1);
    controller.abort(new Error("enough"));
    expect(await outcome).toBe(controller.signal.reason);
    await until(() => server.sockets.open === 0, "the server to see the close");
  });

  test("in the middle of a streamed body, by signal or by leaving the loop", async () => {
    const server = await forever();
    const client = testClient();
    const controller = new AbortController();
    const { body } = await client.stream({ url: server.url(), signal: controller.signal });
    const read = failure(
      (async () => {
        for await (const _ of body) controller.abort();
      })(),
    );
    expect(await read).toBe(controller.signal.reason);
    for await (const _ of (await client.stream({ url: server.url() })).body) break;
    await (await client.stream({ url: server.url() })).body[Symbol.asyncIterator]().return?.();
    await until(() => server.sockets.open === 0, "the server to see the closes");
  });

  test("while a name is looked up", async () => {
    const client = testClient({ lookup: () => new Promise(() => {}) });
    const signal = AbortSignal.timeout(20);
    expect(await failure(client.request({ url: "http://slow.test/", signal }))).toBe(signal.reason);
    await client.close();
  });

  test("before a connection stands: nothing is asked on it then", async () => {
    const asked: unknown[] = [];
    const server = await httpServer(({ url }, response) => {
      asked.push(url);
      response.end("here");
    });
    const found = Promise.withResolvers<readonly { address: string; family: 4 }[]>();
    const client = testClient({ lookup: () => found.promise });
    const controller = new AbortController();
    const first = failure(client.request({ url: server.url("/first", "slow.test"), signal: controller.signal }));
    const second = client.request({ url: server.url("/second", "slow.test") });
    controller.abort();
    expect(await first).toBe(controller.signal.reason);
    found.resolve([{ address: "127.0.0.1", family: 4 }]);
    expect(text((await second).body)).toBe("here");
    expect(asked).toEqual(["/second"]);
  });

  test("while TLS is negotiated closes the socket", async () => {
    const server = await rawServer(() => {});
    const controller = new AbortController();
    const url = server.url().replace("http:", "https:");
    const outcome = failure(testClient().request({ url, signal: controller.signal }));
    await until(() => server.sockets.open === 1);
    controller.abort();
    expect(await outcome).toBe(controller.signal.reason);
    await until(() => server.sockets.open === 0, "the server to see the close");
  });

  test("leaves no listener on the signal", async () => {
    const server = await ok();
    const client = testClient();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await client.request({ url: server.url(), signal });
    await failure(client.request({ url: "http://127.0.0.1:1/", signal }));
    expect(listeners).toBe(0);
  });
});

describe("closing", () => {
  test("ends requests under way and all sockets, and is idempotent", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === "/quick") response.end("ok");
      else response.write("x");
    });
    const client = testClient();
    await client.request({ url: server.url("/quick") });
    const waiting = [1, 2, 3].map(() => failure(client.request({ url: server.url("/slow") })));
    const resolving = failure(client.request({ url: server.url("/slow", "other.test") }));
    await until(() => server.sockets.open >= 3);
    await Promise.all([client.close(), client.close()]);
    for (const error of await Promise.all([...waiting, resolving]))
      expect(error).toMatchObject({ code: "ENGINE_CLOSED" });
    await until(() => server.sockets.open === 0, "the sockets to be closed");
    expect(await failure(client.request({ url: server.url() }))).toMatchObject({ code: "ENGINE_CLOSED" });
  });

  test("leaves nothing open in the process, and an idle client does not keep it alive", async () => {
    const server = await ok();
    const at = (file: string): string => JSON.stringify(new URL(`../src/fetch/${file}`, import.meta.url).href);
    const program = `
      const { createConnectors } = await import(${at("connectors.ts")});
      const { createHttpClient } = await import(${at("http-client.ts")});
      const network = { allowPrivateAddresses: true };
      const clients = [1, 2].map(() => createHttpClient(createConnectors(network), network));
      for (const client of clients) await client.request({ url: ${JSON.stringify(server.url())} });
      await clients[0].close();
      const open = process.getActiveResourcesInfo().filter((kind) => /TCP|TLS/.test(kind));
      console.log(open.length); // The idle socket of the other client is not counted, since it holds nothing up.
    `;
    const begun = Date.now();
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    expect(stdout.trim()).toBe("0");
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  test("one client leaves another alone", async () => {
    const server = await ok();
    const [one, other] = [testClient(), testClient()];
    await one.request({ url: server.url() });
    await one.close();
    expect(text((await other.request({ url: server.url() })).body)).toBe("ok");
  });

  test("the global fetch of the program is left alone", () => {
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    expect(loaded.some((file) => file.endsWith("/undici/lib/dispatcher/pool.js"))).toBe(true);
    expect(loaded.some((file) => file.endsWith("/undici/lib/global.js"))).toBe(false);
  });
});

describe("TLS", () => {
  test("a certificate that nobody vouches for is an error that says what to do", async () => {
    const server = await httpsServer((_, response) => response.end("secret"));
    const error = await failure(testClient().request({ url: server.url("/", "secure.test") }));
    expect(error).toMatchObject({ code: "SCRAPE_SSL_ERROR", retryable: false });
    expect(error.message).toMatch(/secure\.test.*skipTlsVerification/);
  });

  test("skipTlsVerification fetches all the same, and only for the request that asks for it", async () => {
    const server = await httpsServer((_, response) => response.end("secret"));
    const client = testClient();
    const url = server.url("/", "secure.test");
    expect(text((await client.request({ url, skipTlsVerification: true })).body)).toBe("secret");
    expect(await failure(client.request({ url }))).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
    expect(text((await client.request({ url, skipTlsVerification: true })).body)).toBe("secret");
  });

  test("network.ca is trusted, for its names only", async () => {
    const names = new Set<unknown>();
    const server = await httpsServer(({ socket }, response) => {
      names.add("servername" in socket && socket.servername);
      response.end("secret");
    });
    for (const ca of [certificate, Buffer.from(certificate), [certificate]]) {
      const client = testClient({ ca });
      expect(text((await client.request({ url: server.url("/", "secure.test") })).body)).toBe("secret");
      expect(text((await client.request({ url: server.url("/", "a.secure.test.") })).body)).toBe("secret");
      expect(text((await client.request({ url: server.url() })).body)).toBe("secret");
      const error = await failure(client.request({ url: server.url("/", "other.test") }));
      expect(error).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
    }
    // Without the dot at the end of a name; an address is no name.
    expect(names).toEqual(new Set(["secure.test", "a.secure.test", false]));
  });

  test("network.ca is trusted besides the authorities that are trusted anyway", async () => {
    const usual = getCACertificates("default");
    setDefaultCACertificates([...usual, certificate]);
    onTestFinished(() => setDefaultCACertificates(usual));
    const server = await httpsServer((_, response) => response.end("secret"));
    const client = testClient({ ca: testOnlyCertificate.cert });
    expect(text((await client.request({ url: server.url("/", "secure.test") })).body)).toBe("secret");
  });

  test("a network.ca that is no certificate is refused at once", () => {
    expect(() => testClient({ ca: "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----" })).toThrow(
      /network\.ca/,
    );
  });

  test("a server without TLS behind https is an SSL error, and no certificate is blamed", async () => {
    const server = await ok();
    const url = server.url().replace("http:", "https:");
    for (const skipTlsVerification of [false, true]) {
      const error = await failure(testClient().request({ url, skipTlsVerification }));
      expect(error).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
      expect(error.message).toMatch(/http:\/\//);
      expect(error.message).not.toMatch(/skipTlsVerification|certificate/i);
    }
  });
});

describe("hosts", () => {
  test("a port where nobody listens is refused, and may be tried again", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(testClient().request({ url: `http://nobody.test:${port}/` }));
    expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable: true });
    expect(error.message).toContain(`nobody.test:${port}`);
  });

  test("of several addresses the one that answers is used", async () => {
    const server = await ok();
    const lookup = async () => ["127.0.0.9", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    expect(text((await testClient({ lookup }).request({ url: server.url("/", "two.test") })).body)).toBe("ok");
  });

  test("an international name is looked up and sent as ASCII", async () => {
    const names: string[] = [];
    const server = await httpServer((request, response) => response.end(request.headers.host));
    const lookup = async (name: string) => {
      names.push(name);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const answer = await testClient({ lookup }).request({ url: server.url("/", "bücher.test") });
    expect(text(answer.body)).toBe(`xn--bcher-kva.test:${server.port}`);
    expect(names).toEqual(["xn--bcher-kva.test"]);
  });

  test.each([
    "",
    "no url",
    "/path",
    "ftp://a.test/",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://",
    "http://[::1",
  ])("%j is no URL to fetch", async (url) => {
    expect(await failure(testClient().request({ url }))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("headers about the connection are not the caller's, broken ones are refused", async () => {
    const server = await httpServer((request, response) => response.end(JSON.stringify(request.headers)));
    const client = testClient();
    const headers = { connection: "close", "transfer-encoding": "chunked", expect: "100-continue", "x-a": "b" };
    const answer = await client.request({ url: server.url(), headers });
    expect(JSON.parse(text(answer.body))).toMatchObject({ connection: "keep-alive", "x-a": "b" });
    for (const bad of [{ "x y": "1" }, { "x-a": "1\r\nx-b: 2" }]) {
      expect(await failure(client.request({ url: server.url(), headers: bad as never }))).toMatchObject({
        code: "BAD_REQUEST",
      });
    }
  });

  test.each([undefined, certificate])(
    "an old server is greeted as by a browser, and gone on with (ca: %#)",
    async (ca) => {
      // The greeting of a server that cannot renegotiate safely: TLS 1.2, with a cipher of today and without extensions.
      const hello = Buffer.concat([Buffer.from("0303", "hex"), Buffer.alloc(32, 7), Buffer.from("00c02f00", "hex")]);
      const answer = Buffer.concat([
        Buffer.from("16030300", "hex"),
        Buffer.from([hello.length + 4, 2, 0, 0, hello.length]),
      ]);
      const heard: string[] = [];
      const server = await rawServer((socket, head) => {
        if (heard.push(head) > 1) return;
        socket.write(Buffer.concat([answer, hello]));
        setTimeout(() => socket.end(), 100);
      });
      const url = server.url("/", "secure.test").replace("http:", "https:");
      await failure(testClient(ca === undefined ? {} : { ca }).request({ url }));
      await until(() => server.sockets.open === 0, "the connection to be closed");
      // No alert: it has waited for the certificate.
      expect(heard).toHaveLength(1);
      const session = heard[0]!.charCodeAt(43);
      const start = 44 + session;
      const ciphers = heard[0]!.slice(
        start + 2,
        start + 2 + heard[0]!.charCodeAt(start) * 256 + heard[0]!.charCodeAt(start + 1),
      );
      const offered = new Set(ciphers.match(/../gs));
      expect(offered.has("\xc0\x2f")).toBe(true);
      for (const ofDiffieHellman of [
        "\x00\x9e",
        "\x00\x9f",
        "\xcc\xaa",
        "\x00\x67",
        "\x00\x6b",
        "\x00\x33",
        "\x00\x39",
      ]) {
        expect(offered.has(ofDiffieHellman)).toBe(false);
      }
    },
  );
});
