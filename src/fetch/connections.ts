/**
 * Keeps connections for the next request to the same origin, and few of them.
 *
 * One undici pool an origin and route. A pool goes when its last socket has idled out, or earlier, oldest first, when
 * there are many: a crawl over ten thousand hosts holds a hundred.
 */
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { RequestError } from "../errors.ts";
import { maxHeaderBytes } from "./answer-head.ts";
import type { Connector, Route } from "./connectors.ts";

/** Hears what becomes of one request. */
export type AnswerHandler = Dispatcher.DispatchHandler;

/** One request as it is sent, without redirects. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "HEAD";
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Connections {
  /** Sends a request. The function returned must be called once, when the answer is complete or given up. */
  send(origin: string, route: Route, request: WireRequest, handler: AnswerHandler): () => void;
  /** How many pools there are. */
  readonly size: number;
  /** Breaks everything off; requests under way fail. Resolves when the sockets are closed. Idempotent. */
  close(): Promise<void>;
}

interface OriginPool {
  readonly key: string;
  readonly pool: Pool;
  /** Sockets being opened. */
  readonly opening: Set<Socket>;
  /** Requests under way. */
  active: number;
  /** Open sockets, as the pool's events tell; its own figures are made anew at each look. */
  connected: number;
}

/** Pools without a request that are kept while their sockets are open. */
const maxIdlePools = 100;
/** How long an idle socket is kept, also for a server that would keep it for minutes. */
const keepAliveMs = 4_000;

export function createConnections(connectorOf: (route: Route) => Connector): Connections {
  const pools = new Map<string, OriginPool>();
  /** Those without a request, the longest idle first. */
  const idle = new Map<string, OriginPool>();
  const ending = new Set<Promise<void>>();
  let closed = false;

  function create(key: string, origin: string, route: Route): OriginPool {
    const connect = connectorOf(route);
    const opening = new Set<Socket>();
    const pool = new Pool(origin, {
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      // Every request has a deadline of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
      connect(target, callback) {
        const begun: Socket[] = [];
        connect(target, (socket) => {
          begun.push(socket);
          opening.add(socket);
          if (closed) socket.destroy(new Error("closed"));
        })
          .finally(() => {
            for (const socket of begun) opening.delete(socket);
          })
          .then(
            (socket) => callback(null, telling(socket)),
            (error) => callback(error, null),
          );
      },
    });
    const entry: OriginPool = { key, pool, opening, active: 0, connected: 0 };
    pool.on("connect", () => {
      entry.connected += 1;
    });
    pool.on("disconnect", () => {
      entry.connected -= 1;
      dropIfUnused(entry);
    });
    pools.set(key, entry);
    return entry;
  }

  function dropIfUnused(entry: OriginPool): void {
    if (!closed && entry.active === 0 && entry.connected === 0) drop(entry);
  }

  function drop(entry: OriginPool): void {
    if (pools.get(entry.key) !== entry) return;
    pools.delete(entry.key);
    idle.delete(entry.key);
    breakOff(entry);
    // Not at once, since undici may be in the middle of a callback about this pool.
    const end = Promise.resolve()
      .then(() => entry.pool.destroy())
      .finally(() => ending.delete(end));
    ending.add(end);
  }

  function release(entry: OriginPool): void {
    entry.active -= 1;
    if (entry.active > 0 || closed) return;
    idle.set(entry.key, entry);
    dropIfUnused(entry);
    if (idle.size > maxIdlePools) drop(idle.values().next().value!);
  }

  return {
    send(origin, route, request, handler) {
      if (closed) throw new RequestError("ENGINE_CLOSED", "The engine has been closed");
      const key = `${route.skipTlsVerification ? "unverified " : ""}${route.proxy ?? ""} ${origin}`;
      const entry = pools.get(key) ?? create(key, origin, route);
      idle.delete(key);
      entry.active += 1;
      entry.pool.dispatch({ ...request, body: request.body ?? null }, handler);
      return () => release(entry);
    },
    get size() {
      return pools.size;
    },
    async close() {
      closed = true;
      const all = [...pools.values()];
      await Promise.all([...all.flatMap(breakOff), ...all.map(({ pool }) => pool.destroy()), ...ending]);
      pools.clear();
      idle.clear();
    },
  };
}

/** A connection that is reset says what it had brought before, as undici says of one that is closed. */
function telling(socket: Socket): Socket {
  return socket.on("error", (error: Error & { socket?: { readonly bytesRead: number } }) => {
    error.socket ??= { bytesRead: socket.bytesRead };
  });
}

/** Ends the sockets that are still being opened. With an error, because undici waits for one or for a connection. */
function breakOff({ opening }: OriginPool): Promise<unknown>[] {
  return [...opening].map((socket) => {
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.destroy(new Error("The connection is not wanted any more"));
    return closed;
  });
}
