/** An HTTP server on loopback, for a proxy. It listens from its first use on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer } from "./node-http.ts";

interface LoopbackServer {
  /** Its URL: `http://127.0.0.1:41234`. */
  address(): Promise<string>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** What it does with requests; neither may reject. */
interface Handlers {
  forward(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** A request to connect to another address; `head` are the bytes that have already come after it. */
  tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void>;
}

/** Most bytes of a request's head: the headers that a caller may give (100 of 16 KiB), and the cookies of a page. */
const maxHeadBytes = 4 * 1024 * 1024;

export function createLoopbackServer({ forward, tunnel }: Handlers): LoopbackServer {
  const sockets = new Set<Socket>();
  let listening: Promise<number> | undefined;

  const server = createServer({ keepAlive: true, maxHeaderSize: maxHeadBytes }, (request, response) => {
    void forward(request, response);
  });
  server.on("connect", (request, socket, head) => void tunnel(request, socket, head));
  server.on("upgrade", (_request, socket) => socket.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());
  // A connection that could not be accepted, for example because file descriptors are exhausted, must not end the host
  // process.
  server.on("error", () => {});
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });

  function listen(): Promise<number> {
    listening ??= new Promise<number>((resolve, reject) => {
      // It does not keep the process alive; whatever waits for a page does.
      server.unref();
      server.once("error", reject).listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
    listening.catch(() => {
      listening = undefined;
    });
    return listening;
  }

  return {
    address: async () => `http://127.0.0.1:${await listen()}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      if (listening === undefined) return;
      await listening.catch(() => {});
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
