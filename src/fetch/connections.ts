/**
 * Keeps a limited number of connections for further requests to the same origin.
 *
 * There is one undici pool for each origin and route. A pool is closed when its last socket has been idle for long
 * enough, or earlier if there are many, the oldest first: a crawl over ten thousand hosts keeps a hundred.
 */
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { RequestError } from "../errors.ts";
import { maxHeaderBytes } from "./answer-head.ts";
import type { ConnectorOf, Route } from "./connectors.ts";

/** Receives the events of one request. */
export type AnswerHandler = Dispatcher.DispatchHandler;

/** One request, as it is sent; redirects are not followed. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "HEAD";
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Connections {
  /** Sends a request. The returned function must be called once, when the answer is complete or has been given up. */
  send(origin: string, route: Route, request: WireRequest, handler: AnswerHandler): () => void;
  /** The number of pools. */
  readonly size: number;
  /** Closes all connections; requests in progress fail. Resolves when the sockets are closed. Idempotent. */
  close(): Promise<void>;
}

interface OriginPool {
  readonly key: string;
  readonly pool: Pool;
  /** Sockets being opened. */
  readonly opening: Set<Socket>;
  /** Requests in progress. */
  active: number;
  /**
   * Open sockets, counted from the pool's events, because the pool computes its own figures each time they are read.
   */
  connected: number;
}

/** Most pools without a request that are kept while their sockets are open. */
const maxIdlePools = 100;
/** How long an idle socket is kept, even if the server would keep it for minutes. */
const keepAliveMs = 4_000;

export function createConnections(connectorOf: ConnectorOf): Connections {
  const pools = new Map<string, OriginPool>();
  /** Pools without a request, those idle for the longest time first. */
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
          // A connector may begin another socket when the one before was broken off.
          if (closed || pools.get(key) !== entry) breakOff(entry);
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

/** Adds to the error of a reset connection how many bytes it had received, as undici does for a closed one. */
function telling(socket: Socket): Socket {
  return socket.on("error", (error: Error & { socket?: { readonly bytesRead: number } }) => {
    error.socket ??= { bytesRead: socket.bytesRead };
  });
}

/**
 * Destroys the sockets that are still being opened; with an error, because undici waits for either an error or a
 * connection.
 */
function breakOff({ opening }: OriginPool): Promise<unknown>[] {
  return [...opening].map((socket) => {
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.destroy(new Error("The connection is not wanted any more"));
    return closed;
  });
}
