import {
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { describe, expect, test } from "vitest";
import { failure } from "./failure.ts";
import { httpServer, rawServer, testClient, text, until } from "./network-server.ts";

const brotli = (bytes: Uint8Array): Uint8Array =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Text that shrinks to a third. */
const numbers = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, index) => `${(index * 7919) % 1_000_003} `).join(""));

/** A gzip body whose head has an extra field, a name, a comment and a check sum of its own. */
function withNames(packed: Buffer): Buffer {
  const head = Buffer.concat([packed.subarray(0, 10), Buffer.from("\x02\0abname\0comment\0")]);
  head[3] = 2 + 4 + 8 + 16;
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(head) & 0xffff);
  return Buffer.concat([head, sum, packed.subarray(10)]);
}

/** A gzip body whose head has nothing but an extra field; what follows it must not be looked for before its end. */
function withExtraField(packed: Buffer): Buffer {
  const head = Buffer.concat([packed.subarray(0, 10), Buffer.from("\x02\0ab")]);
  head[3] = 4;
  return Buffer.concat([head, packed.subarray(10)]);
}

/** Serves the bytes with the content-encoding header. */
const encoded = (bytes: Uint8Array, encoding: string) =>
  httpServer((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(bytes));

async function collected(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

describe("content-encoding", () => {
  const codings: [encoding: string, encode: (bytes: Uint8Array) => Uint8Array][] = [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotli],
    ["zstd", zstdCompressSync],
    ["gzip, br", (bytes) => brotli(gzipSync(bytes))],
    ["identity", (bytes) => bytes],
    ["utf-8", (bytes) => bytes],
    ["identity, gzip", gzipSync],
  ];
  const small = numbers(2_000);
  const large = numbers(300_000);

  test.each(codings)("%s is undone, small and large, whole and streamed", async (encoding, encode) => {
    for (const original of [small, large]) {
      const server = await encoded(encode(original), encoding);
      const client = testClient();
      expect(Buffer.from((await client.request({ url: server.url() })).body).equals(original)).toBe(true);
      const { body } = await client.stream({ url: server.url() });
      expect((await collected(body)).equals(original)).toBe(true);
    }
  });

  test.each(["gzip", "deflate", "br", "zstd"])(
    "%s that is announced but not done is seen through",
    async (encoding) => {
      for (const original of [small, large]) {
        const server = await encoded(original, encoding);
        const client = testClient();
        expect(Buffer.from((await client.request({ url: server.url() })).body).equals(original)).toBe(true);
        const { body } = await client.stream({ url: server.url() });
        expect((await collected(body)).equals(original)).toBe(true);
      }
    },
  );

  test.each([10, 400_000])("zstd in several frames is undone to the last, with %i numbers", async (count) => {
    const parts = [numbers(count), numbers(3), numbers(count + 1)];
    const checked = (bytes: Uint8Array) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    // Of more than a block, so that the second one is a single repeated byte.
    const zeros = Buffer.alloc(300_000);
    const passedOver = Buffer.from("502a4d1804000000ffffffff", "hex");
    const body = [passedOver, ...parts.flatMap((part) => [checked(part), zstdCompressSync(zeros)])];
    const original = Buffer.concat(parts.flatMap((part) => [part, zeros]));
    for (const end of ["", "what is no frame"]) {
      const server = await encoded(Buffer.concat([...body, Buffer.from(end)]), "zstd");
      expect(original.equals((await testClient().request({ url: server.url() })).body)).toBe(true);
      const { body: streamed } = await testClient().stream({ url: server.url() });
      expect(original.equals(await collected(streamed))).toBe(true);
    }
  });

  test("thousands of zstd frames of a few bytes are not undone, as each costs a decoder", async () => {
    const frame = zstdCompressSync(Buffer.from("a"));
    const server = await encoded(Buffer.concat(Array<Buffer>(1001).fill(frame)), "zstd");
    await expect(testClient().request({ url: server.url() })).rejects.toThrow(/could not be decoded/);
    const most = await encoded(Buffer.concat(Array<Buffer>(1000).fill(frame)), "zstd");
    expect((await testClient().request({ url: most.url() })).body.byteLength).toBe(1000);
  });

  test.each(codings.slice(0, 7))("%s that was cut short gives what there is", async (encoding, encode) => {
    // A zstd frame has blocks of 128 KB, and of a block there is all or nothing.
    for (const original of encoding === "zstd" ? [large] : [small, large]) {
      const whole = encode(original);
      const server = await encoded(whole.subarray(0, whole.byteLength - 8), encoding);
      const { body } = await testClient().request({ url: server.url() });
      expect(body.byteLength).toBeGreaterThan(original.byteLength / 2);
      expect(original.subarray(0, body.byteLength).equals(Buffer.from(body))).toBe(true);
    }
  });

  test.each([
    ["text", gzipSync(small)],
    ["text, behind a head with an extra field, a name and a check sum", withNames(gzipSync(small))],
    ["text, behind a head with an extra field", withExtraField(gzipSync(small))],
  ])("what follows a small gzip body is passed over: %s", async (_what, packed) => {
    const server = await encoded(Buffer.concat([packed, Buffer.from("<!-- made in 0.1 seconds -->")]), "gzip");
    const { body } = await testClient().request({ url: server.url() });
    expect(small.equals(Buffer.from(body))).toBe(true);
    const wrong = Buffer.from(packed);
    wrong[wrong.byteLength - 8]! ^= 1;
    const damaged = await encoded(Buffer.concat([wrong, Buffer.from("and more")]), "gzip");
    expect(await failure(testClient().request({ url: damaged.url() }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  });

  test("bytes damaged in the middle are an error", async () => {
    const damaged = Buffer.from(gzipSync(large));
    damaged.fill(0xff, 500_000, 502_000);
    const server = await encoded(damaged, "gzip");
    expect(await failure(testClient().request({ url: server.url() }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  });

  // Brotli and the bare stream have no mark that would survive damage at their very beginning.
  test.each([
    ["gzip", gzipSync, 20],
    ["deflate", deflateSync, 20],
    ["zstd", zstdCompressSync, 20],
    ["deflate", deflateRawSync, 100],
    ["br", brotli, 100],
  ] as const)("bytes damaged in a small %s body are an error", async (encoding, encode, from) => {
    const damaged = Buffer.from(encode(numbers(100)));
    damaged.fill(0xff, from, from + 40);
    const server = await encoded(damaged, encoding);
    expect(await failure(testClient().request({ url: server.url() }))).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringMatching(/could not be decoded/),
    });
    const { body } = await testClient().stream({ url: server.url() });
    expect(await failure(collected(body))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  });

  test("an empty body, HEAD and 304 with content-encoding are empty", async () => {
    const server = await httpServer((request, response) => {
      response
        .writeHead(request.url === "/304" ? 304 : 200, { "content-encoding": "gzip", "content-length": "0" })
        .end();
    });
    const client = testClient();
    expect((await client.request({ url: server.url() })).body).toHaveLength(0);
    expect((await client.request({ url: server.url("/304") })).body).toHaveLength(0);
    const unchanged = await rawServer((socket) =>
      socket.write("HTTP/1.1 304 Not Modified\r\ncontent-length: 99999999\r\n\r\n"),
    );
    const { statusCode } = await client.request({ url: unchanged.url(), maxBodyBytes: 1000 });
    expect(statusCode).toBe(304);
    expect((await client.request({ url: server.url(), method: "HEAD" })).body).toHaveLength(0);
    const large = await httpServer((_, response) => response.writeHead(200, { "content-length": "99999999" }).end());
    const head = await client.request({ url: large.url(), method: "HEAD", maxBodyBytes: 1000 });
    expect(head).toMatchObject({ statusCode: 200, headers: { "content-length": "99999999" } });
  });

  test("encoded over and over is refused", async () => {
    const times = (count: number) => Array(count).fill("gzip").join(",");
    const four = await encoded(
      [1, 2, 3, 4].reduce<Uint8Array>((bytes) => gzipSync(bytes), small),
      times(4),
    );
    expect((await testClient().request({ url: four.url() })).body).toEqual(new Uint8Array(small));
    const five = await encoded(small, times(5));
    expect(await failure(testClient().request({ url: five.url() }))).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  });
});

describe("size", () => {
  const zeros = Buffer.alloc(128 * 1024 * 1024);
  const bombs: [string, Uint8Array][] = [
    ["gzip", gzipSync(zeros, { level: 1 })],
    ["br", brotli(zeros)],
    ["zstd", zstdCompressSync(zeros)],
    ["gzip, gzip", gzipSync(gzipSync(zeros, { level: 1 }))],
  ];
  test.each(bombs)("a %s bomb is refused without being unpacked", async (encoding, bytes) => {
    const server = await encoded(bytes, encoding);
    const client = testClient();
    const before = process.memoryUsage().rss;
    const error = await failure(client.request({ url: server.url(), maxBodyBytes: 4 * 1024 * 1024 }));
    expect(error).toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR", retryable: false });
    expect(error.message).toMatch(/too large/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    const { body } = await client.stream({ url: server.url(), maxBodyBytes: 1024 * 1024 });
    expect(await failure(collected(body))).toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
  });

  test("what is large only between two codings is not decoded", async () => {
    const head = gzipSync("").subarray(0, 10);
    // Three megabytes that mean nothing, the same five bytes again and again; in all they are 3 kB.
    const empty = Buffer.alloc(3_000_000);
    for (let at = 0; at < empty.byteLength; at += 5) empty.set([0, 0, 0, 0xff, 0xff], at);
    const server = await encoded(gzipSync(Buffer.concat([head, empty])), "gzip, gzip");
    const client = testClient({ maxBodyBytes: 1_000_000 });
    const tooLarge = { code: "SCRAPE_UNSUPPORTED_FILE_ERROR" };
    expect(await failure(client.request({ url: server.url() }))).toMatchObject(tooLarge);
    const { body } = await client.stream({ url: server.url() });
    expect(await failure(collected(body))).toMatchObject(tooLarge);
  });

  test("a page of 50 MB arrives whole; the same above the cap is refused at once", async () => {
    const bytes = Buffer.alloc(50 * 1024 * 1024, "<p>long</p>");
    const server = await httpServer((_, response) => {
      response.setHeader("content-length", bytes.byteLength);
      response.end(bytes);
    });
    const client = testClient();
    const { body } = await client.request({ url: server.url() });
    expect(bytes.equals(body)).toBe(true);
    expect(await failure(client.request({ url: server.url(), maxBodyBytes: 50 * 1024 * 1024 - 1 }))).toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
    expect(await failure(testClient({ maxBodyBytes: 1000 }).request({ url: server.url() }))).toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
    await until(() => server.sockets.open <= 1, "refused bodies to be broken off");
  });

  test("what is announced to be too large is not waited for, unless it is encoded", async () => {
    const server = await httpServer((request, response) => {
      const encoding = request.url === "/encoded" ? { "content-encoding": "gzip" } : {};
      response.writeHead(200, { "content-length": 1001, ...encoding }).flushHeaders();
    });
    const client = testClient({ maxBodyBytes: 1000 });
    const signal = AbortSignal.timeout(500);
    const [plain, encoded] = await Promise.all(
      ["/", "/encoded"].map((path) => failure(client.request({ url: server.url(path), signal }))),
    );
    expect(plain).toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
    expect(encoded).toBe(signal.reason);
  });

  test("a body may be as large as the cap, also one of unknown length", async () => {
    const server = await httpServer((_, response) => {
      response.write("x".repeat(600));
      response.end("x".repeat(400));
    });
    const { body } = await testClient().request({ url: server.url(), maxBodyBytes: 1000 });
    expect(body).toHaveLength(1000);
  });

  test("a body that never ends is cut by the cap, and by the signal", async () => {
    const server = await httpServer((_, response) => {
      const timer = setInterval(() => response.write("x".repeat(50_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const client = testClient();
    expect(await failure(client.request({ url: server.url(), maxBodyBytes: 1_000_000 }))).toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
    const signal = AbortSignal.timeout(50);
    expect(await failure(client.request({ url: server.url(), signal }))).toBe(signal.reason);
    await until(() => server.sockets.open === 0, "the server to see the close");
  });

  test("a compressed body that stands still is let go, by the cap, by the signal and by leaving the loop", async () => {
    const cutOff = brotli(gzipSync(numbers(100_000), { level: 1 })).subarray(0, -4);
    const stalled = await httpServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip, br" });
      response.write(cutOff);
    });
    const client = testClient();
    const url = stalled.url();
    const tooLarge = client.stream({ url, maxBodyBytes: 100_000 }).then(({ body }) => collected(body));
    expect(await failure(tooLarge)).toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
    for await (const _ of (await client.stream({ url })).body) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // By now the decoders wait for more.
      break;
    }
    const signal = AbortSignal.timeout(100);
    expect(await failure(client.request({ url, signal }))).toBe(signal.reason);
    const leaving = new AbortController();
    const streamed = await client.stream({ url, signal: leaving.signal });
    setTimeout(() => leaving.abort(new Error("enough")), 100);
    expect(await failure(collected(streamed.body))).toMatchObject({ message: "enough" });
    await until(() => stalled.sockets.open === 0, "the sockets to be closed");
  });

  test("a body that comes byte by byte costs little more than its size", async () => {
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.end(`${"1\r\nx\r\n".repeat(500_000)}0\r\n\r\n`);
    });
    const { body } = await testClient().request({ url: server.url() });
    expect(body).toHaveLength(500_000);
    expect(body.buffer.byteLength).toBe(500_000);
  });

  test("a reader that is slow holds the sender back", async () => {
    let sent = 0;
    const server = await httpServer((_, response) => {
      const more = (): void => {
        while (sent < 100 * 1024 * 1024) {
          sent += 64 * 1024;
          if (!response.write(Buffer.alloc(64 * 1024))) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const { body } = await testClient().stream({ url: server.url(), maxBodyBytes: 200 * 1024 * 1024 });
    // A sender that is only between two of its turns stands still for a moment, too.
    let before = -1;
    let looks = 0;
    await until(() => {
      looks = sent === before ? looks + 1 : 0;
      before = sent;
      return looks > 40;
    }, "the sender to stand still");
    expect(sent).toBeLessThan(50 * 1024 * 1024);
    expect(await collected(body)).toHaveLength(100 * 1024 * 1024);
  });

  test("a body can be transferred to a thread", async () => {
    const server = await encoded(gzipSync("tiny"), "gzip");
    const { body } = await testClient().request({ url: server.url() });
    expect(text(structuredClone(body, { transfer: [body.buffer as ArrayBuffer] }))).toBe("tiny");
  });
});

describe("answers that are broken", () => {
  const broken: [what: string, answer: string, retryable: boolean][] = [
    ["reset in the middle", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort", true],
    ["chunks without an end", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", true],
    ["half a head", "HTTP/1.1 200 OK\r\ncontent-", true],
    ["nothing", "", true],
    ["no HTTP", "SSH-2.0-OpenSSH_9.0\r\n", false],
  ];
  test.each(broken)("%s", async (_, answer, retryable) => {
    for (const end of ["end", "resetAndDestroy"] as const) {
      const server = await rawServer((socket) => {
        if (answer === "") socket[end]();
        else socket.write(answer, () => setTimeout(() => socket[end](), 5));
      });
      expect(await failure(testClient().request({ url: server.url() }))).toMatchObject({
        name: "ScrapeError",
        code: "SCRAPE_SITE_ERROR",
        retryable,
      });
      expect(server.sockets.opened).toBe(1);
    }
  });

  test("spaces behind the size of a chunk are passed over, where asking again does no harm", async () => {
    const server = await rawServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5  \r\nhello\r\n0   \r\n\r\n"),
    );
    const client = testClient();
    expect(text((await client.request({ url: server.url() })).body)).toBe("hello");
    expect(server.sockets.opened).toBe(2);
    const posted = client.request({ url: server.url(), method: "POST", body: "x" });
    expect(await failure(posted)).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    expect(server.sockets.opened).toBe(3);
    await until(() => server.sockets.open === 0, "the connections to be closed");
  });

  test("a chunk size that is no number is asked for once more and no further", async () => {
    const server = await rawServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n"),
    );
    expect(await failure(testClient().request({ url: server.url() }))).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      retryable: false,
    });
    expect(server.sockets.opened).toBe(2);
  });

  test("more bytes than announced are not part of the body", async () => {
    const server = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello world"));
    const client = testClient();
    for (let round = 0; round < 3; round += 1) {
      expect(text((await client.request({ url: server.url() })).body)).toBe("hello");
    }
  });

  test("a body that ends with the connection is whole", async () => {
    const server = await rawServer((socket) => socket.end("HTTP/1.0 200\r\ncontent-type: text/html\r\n\r\nold"));
    const answer = await testClient().request({ url: server.url() });
    expect(text(answer.body)).toBe("old");
    expect(answer.statusText).toBe("OK");
  });

  test("a flood of headers", async () => {
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const flood = setInterval(() => socket.write(`x-flood: ${"y".repeat(20_000)}\r\n`), 1);
      socket.on("close", () => clearInterval(flood));
    });
    const error = await failure(testClient().request({ url: server.url() }));
    expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable: false });
    expect(error.message).toMatch(/headers/);
    await until(() => server.sockets.open === 0, "the flood to be broken off");
  });

  test("an endless row of interim answers ends with the signal", async () => {
    const server = await rawServer((socket) => {
      const flood = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), 1);
      socket.on("close", () => clearInterval(flood));
    });
    const signal = AbortSignal.timeout(50);
    expect(await failure(testClient().request({ url: server.url(), signal }))).toBe(signal.reason);
  });

  test("an interim answer is passed over", async () => {
    const server = await rawServer((socket) => {
      socket.end("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    expect(text((await testClient().request({ url: server.url() })).body)).toBe("ok");
  });

  test("odd header names do no harm, repeated ones are joined", async () => {
    const server = await rawServer((socket) => {
      socket.end("HTTP/1.1 200 OK\r\n__proto__: a\r\nx-a: 1\r\nX-A: 2\r\nconstructor: c\r\ncontent-length: 0\r\n\r\n");
    });
    const { headers } = await testClient().request({ url: server.url() });
    expect(headers).toMatchObject({ "x-a": "1, 2", constructor: "c" });
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });
});
