/** What of a receiver's answer counts: its status, as soon as it is there. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

/** A receiver that writes its answers to the socket as they are. */
async function rawReceiver(answer: (socket: Socket, count: number) => void) {
  const types: (string | undefined)[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket.on("error", () => {}));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (text.length < text.indexOf("\r\n\r\n") + 4 + length) return;
      types.push(/"type":"batch_scrape\.(\w+)"/.exec(text)?.[1]);
      text = "";
      answer(socket, types.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, types, connections: () => connections };
}

const large = "x".repeat(200_000);
const bomb = gzipSync(Buffer.alloc(20_000_000));

test.each<[string, (socket: Socket) => void]>([
  ["is large", (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${large.length}\r\n\r\n${large}`)],
  ["is announced as large", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\nabc")],
  ["breaks off", (socket) => socket.end("HTTP/1.1 202 Accepted\r\ncontent-length: 1000\r\n\r\nabc")],
  ["never ends", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc")],
  [
    "grows when it is unpacked",
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
  ],
])("an event is delivered once its receiver has said so, though the rest of the answer %s", async (_, answer) => {
  const { url } = await site({ "/a": page("a") });
  const hook = await rawReceiver(answer);
  const engine = engineFor({ webhooks: { retryDelays: [10, 10], timeoutMs: 2500 } });
  const webhook = { url: hook.url, events: ["started", "completed"] as const };
  const job = await engine.batchScrape({ urls: [`${url}/a`], webhook });
  await job.wait();
  await vi.waitFor(() => expect(hook.types.length).toBeGreaterThan(1), { timeout: 8000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(hook.types).toEqual(["started", "completed"]);
  expect((await engine.getFailedDeliveries()).deliveries).toEqual([]);
});

test("a receiver that asks for time gets it, however long its refusal is", async () => {
  const { url } = await site({ "/a": page("a") });
  const times: number[] = [];
  const hook = await rawReceiver((socket, count) => {
    times.push(Date.now());
    if (count === 1) {
      socket.write(`HTTP/1.1 429 Later\r\nretry-after: 1\r\ncontent-length: ${large.length}\r\n\r\n${large}`);
    } else {
      socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    }
  });
  const engine = engineFor({ webhooks: { retryDelays: [10] } });
  await engine.batchScrape({ urls: [`${url}/a`], webhook: { url: hook.url, events: ["started"] } });
  await vi.waitFor(() => expect(times).toHaveLength(2), { timeout: 20_000 });
  expect(times[1]! - times[0]!).toBeGreaterThan(950);
});

test("one connection serves the deliveries of a job", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const hook = await rawReceiver((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
  const engine = engineFor();
  const urls = Array.from({ length: 10 }, (_, index) => `${url}/${index}`);
  await (await engine.batchScrape({ urls, webhook: hook.url })).wait();
  await vi.waitFor(() => expect(hook.types).toHaveLength(12), { timeout: 20_000 });
  expect(hook.connections()).toBe(1);
});

test.each<[string, (socket: Socket) => void]>([
  ["closes", (socket) => socket.destroy()],
  ["resets", (socket) => socket.resetAndDestroy()],
])("a receiver that %s a connection as the next event goes out on it gets that event at once", async (_, close) => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const answered = new WeakSet<Socket>();
  const types: (string | undefined)[] = [];
  const hook = await rawReceiver((socket) => {
    if (answered.has(socket)) return close(socket);
    answered.add(socket);
    types.push(hook.types.at(-1));
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  const engine = engineFor();
  const urls = Array.from({ length: 6 }, (_, index) => `${url}/${index}`);
  await (await engine.batchScrape({ urls, webhook: hook.url })).wait();
  await vi.waitFor(() => expect(types).toEqual(["started", ...urls.map(() => "page"), "completed"]), {
    timeout: 20_000,
  });
});
