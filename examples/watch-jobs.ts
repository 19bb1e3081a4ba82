/** The service's WebSocket beside its HTTP paths: clients watch a crawl or a batch at `/v1/crawl/:id`. */
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { type CallContext, CrawlcoreError, type Engine, watchService } from "../src/index.ts"; // in your program: from "crawlcore"

/**
 * @param server the HTTP server whose connections become sockets
 * @param keys the caller for each API key
 * @param options `patienceMs`: a client that takes longer to read a message is cut off, for its message occupies memory
 * @returns ends all watches; until then, the server does not close
 */
export function watchJobs(
  server: Server,
  engine: Engine,
  keys: ReadonlyMap<string, CallContext>,
  { patienceMs = 60_000 }: { readonly patienceMs?: number } = {},
): () => void {
  // Clients send nothing but the key, which is the sub-protocol.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  server.on("upgrade", (request, socket, head) => {
    // Node leaves the connection to whoever upgrades it: without this, a client that resets it would end the process.
    socket.on("error", () => {});
    const id = request.url?.match(/^\/v1\/crawl\/([^/?]+)(?:\?|$)/)?.[1];
    const caller = keys.get(request.headers["sec-websocket-protocol"] ?? "");
    if (id === undefined || caller === undefined) {
      // Not only ended: a client could keep its half open.
      socket.once("finish", () => socket.destroy());
      socket.end(`HTTP/1.1 ${id === undefined ? "404 Not Found" : "401 Unauthorized"}\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => void tell(webSocket, patienceMs, engine, id, caller));
  });
  return () => {
    for (const webSocket of sockets.clients) webSocket.close(1001, "{}");
  };
}

async function tell(
  socket: WebSocket,
  patienceMs: number,
  engine: Engine,
  id: string,
  caller: CallContext,
): Promise<void> {
  const gone = new AbortController();
  socket.on("close", () => gone.abort()).on("error", () => gone.abort());
  // Waits until each message has left, so that a slow client does not fill the memory.
  const send = (message: object) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.terminate(), patienceMs);
      socket.send(JSON.stringify(message), (error) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      });
    });
  try {
    for await (const message of watchService(engine, id, { ...caller, signal: gone.signal })) await send(message);
  } catch (error) {
    const text = CrawlcoreError.isInstance(error) ? error.message : "Internal error";
    if (!gone.signal.aborted) await send({ type: "error", error: text }).catch(() => {});
  }
  // Clients read the reason as JSON.
  socket.close(1000, "{}");
}
