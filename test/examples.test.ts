/** Every example runs as a program of its own and says what its head comment promises. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { fastifyReceiver, honoReceiver, nodeReceiver } from "../examples/webhook-receivers.ts";
import { startTestSite } from "../src/testing/index.ts";
import { freePort } from "./free-port.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crawlcore-examples-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Runs an example in the temporary folder until it ends by itself. */
function run(
  name: string,
  args: readonly string[] = [],
  watch: (child: ChildProcess, output: string) => void = () => {},
) {
  const program = join(import.meta.dirname, "..", "examples", name);
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
  let output = "";
  return new Promise<Ran>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        watch(child, output);
      });
    }
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}

describe("demo", () => {
  it("crawls the bundled site into files and sums up", async () => {
    const { code, output } = await run("demo.ts", ["--output", "pages"]);
    expect([code, output]).toEqual([0, expect.stringContaining("Crawl completed")]);
    expect(output).toMatch(/\n +\d+ {2}200 {2}\/docs\/install\/ +Install Plumb/);
    expect(output).toMatch(/Words +1\d,\d{3}/);
    expect(output).toMatch(/404 Not Found\n.*500 Internal Server Error/);
    expect(output).toMatch(/Disallowed +\d+ {2}by robots.txt/);
    const files = (await readdir(join(folder, "pages"), { recursive: true })).filter((file) => file.endsWith(".md"));
    expect(files.length).toBeGreaterThan(45);
    const article = await readFile(join(folder, "pages/127.0.0.1/journal/counting-meteors.md"), "utf8");
    expect(article).toMatch(
      /^---\ntitle: "Counting meteors without losing count.*"\nurl: "http:\/\/127[^"]+"\n---\n\n/,
    );
    expect(article).toContain("```python\nfrom math import radians, sin\n");
    expect(article).toContain("00–01");
    expect(await readFile(join(folder, "pages/127.0.0.1/ja.md"), "utf8")).toContain("黒谷観測所との交流");
    expect(files.some((file) => file.includes("members"))).toBe(false);
  });

  it("stops at the limit it is given", async () => {
    const { code, output } = await run("demo.ts", ["--limit", "5", "--output", "five"]);
    expect([code, output]).toEqual([0, expect.stringMatching(/Pages +5 /)]);
  });

  it("ends with a code when the site cannot be reached, and says why", async () => {
    const unreachable = await run("demo.ts", ["http://127.0.0.1:9/", "--output", "nothing"]);
    expect(unreachable.code).toBe(1);
    expect(unreachable.output).toMatch(/FORBIDDEN_ADDRESS|127\.0\.0\.1/);
    expect(unreachable.output).not.toContain("Files are in");
    const wrong = await run("demo.ts", ["ftp://example.com", "--limit", "0"]);
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching(/BAD_REQUEST[\s\S]*url:[\s\S]*limit:/)]);
  });

  it("says in a line or two what is wrong with its arguments, and what they are", async () => {
    const usage = /^usage: node examples\/demo\.ts \[url\] .*\n$/m;
    expect(await run("demo.ts", ["--help"])).toEqual({ code: 0, output: expect.stringMatching(usage) });
    const unknown = await run("demo.ts", ["--limits", "5"]);
    expect(unknown).toEqual({ code: 1, output: expect.stringMatching(/^Unknown option '--limits'.*\nusage: /) });
    await writeFile(join(folder, "file"), "");
    const { code, output } = await run("demo.ts", ["--output", "file/pages"]);
    expect([code, output]).toEqual([1, expect.stringMatching(/\nThe files cannot be written: ENOTDIR: .*\n$/)]);
  });

  it("is cancelled by Ctrl-C and still sums up", async () => {
    const never = { delay: 60_000, body: "late" };
    const home = '<h1>Slow site</h1><a href="/one">One</a> <a href="/two">Two</a>';
    const site = await startTestSite({ "/": home, "/one": never, "/two": never });
    let sent = false;
    const { code, output } = await run("demo.ts", [site.url, "--allow-private", "--output", "part"], (child, text) => {
      if (!sent && text.includes("    1  200")) sent = child.kill("SIGINT");
    });
    await site.close();
    expect([code, output]).toEqual([130, expect.stringMatching(/Crawl cancelled[\s\S]*Pages +1 /)]);
  });
});

it("01-scrape prints a page as markdown", async () => {
  const { code, output } = await run("01-scrape.ts");
  expect([code, output]).toEqual([0, expect.stringContaining("# A dark hill, an old telescope, an open door")]);
  expect(output).toMatch(/\d+ links\n$/);
});

it("02-crawl prints pages and what was left out", async () => {
  const { code, output } = await run("02-crawl.ts");
  expect([code, output.match(/^\d+ http\S+ /gm)?.length]).toEqual([0, 30]);
  expect(output).toMatch(/left out: http\S+\/shop\/ /);
});

it("03-durable-crawl goes on in a second engine", async () => {
  const { code, output } = await run("03-durable-crawl.ts");
  expect([code, output]).toEqual([0, expect.stringContaining("resumed: true")]);
  expect(output.match(/^first engine:/gm)).toHaveLength(10);
  expect(output).toMatch(/completed: \d+ of 40 pages/);
});

it("04-batch scrapes a list", async () => {
  const { code, output } = await run("04-batch.ts");
  expect([code, output]).toEqual([0, expect.stringContaining("not taken: [ 'not an address' ]")]);
  expect(output).toMatch(/200 \S+\/ja\/ 黒谷観測所との交流/);
  expect(output).toMatch(/404 \S+\/no-such-page\//);
  expect(output).toMatch(/completed, 4 credits\n$/);
});

it("05-search finds what was scraped", async () => {
  const { code, output } = await run("05-search.ts");
  expect([code, output]).toEqual([0, expect.stringMatching(/Glossary[\s\S]*telescope/)]);
});

it("06-extract reads what pages declare, without a model", async () => {
  const { code, output } = await run("06-extract.ts");
  expect([code, output]).toEqual([
    0,
    expect.stringContaining("{ name: 'Kettle', price: 49.5, currency: 'EUR', inStock: true }"),
  ]);
  expect(output).toMatch(/\/p\/kettle' \]\n0 tokens\n$/);
});

it("own-billing reserves before work and charges as it is done", async () => {
  const { code, output } = await run("own-billing.ts");
  expect([code, output]).toEqual([
    0,
    "402 Insufficient credits: 20 credits left, 100 needed\n8 credits used, 12 left\n",
  ]);
});

it("event-queue hands every event of a job on", async () => {
  const { code, output } = await run("event-queue.ts");
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^crawl.started \n(crawl.page http\S+\n){5}crawl.completed \n$/),
  ]);
});

it("webhook-receivers take signed events and refuse others", async () => {
  const { code, output } = await run("webhook-receivers.ts");
  const of = (name: string) =>
    `without a signature: 401\n${name} batch_scrape.started \n${name} batch_scrape.page URL\n${name} batch_scrape.completed \n`;
  const shown = output.replace(/http:\/\/\S+/g, "URL");
  expect([code, shown]).toEqual([0, of("node:http") + of("fastify") + of("hono")]);
});

it("webhook-receivers outlive senders that break off or send without end", async () => {
  const rejected = vi.fn();
  process.on("unhandledRejection", rejected);
  onTestFinished(() => void process.off("unhandledRejection", rejected));
  const accept = vi.fn();
  const fastify = fastifyReceiver(accept);
  await fastify.ready();
  for (const listener of [nodeReceiver(accept), fastify.routing, getRequestListener(honoReceiver(accept).fetch)]) {
    const server = createServer(listener).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const send = async (head: string, body: string | Buffer) => {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      // Whoever is answered before the end has been refused.
      socket.on("data", () => socket.destroy());
      const arrived = once(server, "request");
      socket.write(`POST /hook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n\r\n`);
      socket.write(body);
      const [{ socket: received }] = (await arrived) as [IncomingMessage];
      return { socket, closed: new Promise((resolve) => received.once("close", resolve)) };
    };
    const broken = await send("Content-Length: 1000", "{");
    broken.socket.resetAndDestroy();
    await broken.closed;
    const endless = await send("Transfer-Encoding: chunked", `1100000\r\n${" ".repeat(0x1100000)}\r\n`);
    await endless.closed;
  }
  expect([rejected.mock.calls, accept.mock.calls]).toEqual([[], []]);
});

it.each(["fastify-server.ts", "hono-server.ts"])("%s listens and answers", async (name) => {
  const port = await freePort();
  let answer: { status: number; body: unknown } | undefined;
  const { code } = await run(name, [String(port)], async (child, output) => {
    if (!output.includes("listening") || answer !== undefined) return;
    answer = { status: 0, body: undefined };
    const headers = { authorization: "Bearer demo-key" };
    const response = await fetch(`http://127.0.0.1:${port}/v1/crawl/active`, { headers });
    answer = { status: response.status, body: await response.json() };
    child.kill("SIGTERM");
  });
  expect([code, answer]).toEqual([0, { status: 200, body: { success: true, crawls: [] } }]);
});
