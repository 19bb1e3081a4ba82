/** Servers on loopback and a client that finds them under any name, for the tests of the network. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createConnectors } from "../src/fetch/connectors.ts";
import { createHttpClient } from "../src/fetch/http-client.ts";
import type { NetworkOptions } from "../src/network-options.ts";
import type { HttpClient } from "../src/ports/http-client.ts";

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/tls/${name}`, import.meta.url), "utf8");

/** Self-signed, for `secure.test`, `*.secure.test` and 127.0.0.1, valid until 2120. */
export const certificate = fixture("certificate.pem");
export const certificateKey = fixture("key.pem");

export interface TestServer {
  readonly port: number;
  /** Sockets opened to it so far, and how many of them are open now. */
  readonly sockets: { opened: number; open: number };
  /** `http(s)://<host>:<port><path>`; host is 127.0.0.1 unless given. */
  url(path?: string, host?: string): string;
}

async function listen(server: Server, scheme: string): Promise<TestServer> {
  const sockets = { opened: 0, open: 0 };
  const all = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.opened += 1;
    sockets.open += 1;
    all.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.open -= 1;
      all.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of all) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, sockets, url: (path = "/", host = "127.0.0.1") => `${scheme}://${host}:${port}${path}` };
}

export function httpServer(answer: RequestListener): Promise<TestServer> {
  return listen(createServer(answer), "http");
}

export function httpsServer(answer: RequestListener): Promise<TestServer> {
  return listen(createSecureServer({ key: certificateKey, cert: certificate }, answer), "https");
}

/** A server that says what it likes: `answer` gets the socket once a request head has come in. */
export function rawServer(answer: (socket: Socket, head: string) => void): Promise<TestServer> {
  const server = createRawServer((socket) => {
    socket.on("data", (data) => answer(socket, data.toString("latin1")));
  });
  return listen(server, "http");
}

/** Answers each path of the table; the rest with 404. */
export function paths(
  table: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>,
): RequestListener {
  return (request, response) => {
    const answer = table[(request.url ?? "").split("?", 1)[0]!];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  };
}

export function redirectTo(location: string, status = 302, headers: Record<string, string | string[]> = {}) {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { location, ...headers }).end("elsewhere");
  };
}

/** A client for which every name is 127.0.0.1; closed when the test is finished. */
export function testClient(network: NetworkOptions = {}): HttpClient {
  const options: NetworkOptions = {
    allowPrivateAddresses: true,
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    ...network,
  };
  const client = createHttpClient(createConnectors(options), options);
  onTestFinished(() => client.close());
  return client;
}

export function text(body: Uint8Array): string {
  return Buffer.from(body).toString();
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean, what = "the condition"): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
