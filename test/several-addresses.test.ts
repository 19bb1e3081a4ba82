/** Hosts with several addresses of which some are dead, and the one that lives is far away. */
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { Server } from "proxy-chain";
import { expect, onTestFinished, test } from "vitest";
import { createEngine } from "../src/index.ts";
import { httpServer } from "./network-server.ts";

/**
 * A server on 127.0.0.1 that answers, but takes connections in only after a while: until then its thread stands still, and
 * its backlog of one is full. The system tries again a second later, as it does where a first packet was lost.
 */
const slowServer = `
const { createServer } = require("node:http");
const { parentPort } = require("node:worker_threads");
const server = createServer((_, response) => {
  response.setHeader("content-type", "text/html");
  response.end("<h1>Far away</h1>");
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
});
`;

test("one whose connections take long is waited for, though the others are dead", async () => {
  const worker = new Worker(slowServer, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  const waiting = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
  });
  await new Promise((resolve) => setTimeout(resolve, 100));

  const lookup = async () => [
    { address: "127.0.0.1", family: 4 },
    { address: "127.0.0.2", family: 4 }, // Nothing listens there.
  ];
  const engine = createEngine({ network: { allowPrivateAddresses: true, lookup }, browser: false });
  onTestFinished(() => engine.close());
  const { data } = await engine.scrape({ url: `http://far.test:${port}/` });
  expect(data.markdown).toBe("# Far away");
});

test("behind a proxy they are tried in turn", async () => {
  const site = await httpServer((_, response) => response.end("<h1>Here</h1>"));
  const asked: string[] = [];
  const proxy = new Server({
    port: 0,
    host: "127.0.0.1",
    prepareRequestFunction({ hostname }) {
      asked.push(hostname);
      return {};
    },
  });
  await proxy.listen();
  onTestFinished(() => proxy.close(true));
  const lookup = async (name: string) =>
    name === "127.0.0.1"
      ? [{ address: name, family: 4 }]
      : ["::2", "127.0.0.9", "127.0.0.1"].map((address) => ({ address, family: address === "::2" ? 6 : 4 }));
  const proxies = { basic: [`http://127.0.0.1:${proxy.port}`] };
  const engine = createEngine({ network: { allowPrivateAddresses: true, lookup }, proxies, browser: false });
  onTestFinished(() => engine.close());
  const { data } = await engine.scrape({ url: site.url("/", "several.test") });
  expect(data.markdown).toBe("# Here");
  expect(asked).toEqual(["127.0.0.9", "127.0.0.1"]);
});
