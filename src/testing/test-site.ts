/** A real HTTP server on loopback for tests, with declared routes and a catalogue of hostile behaviours. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { hostile } from "./hostile-routes.ts";
import { testOnlyCertificate } from "./test-certificate.ts";
import { answer, type TestRoute, type TestRoutes } from "./test-site-answer.ts";
import { type ReceivedRequest, TestSiteTraffic } from "./test-site-traffic.ts";

/** Options of {@link startTestSite}. */
export interface TestSiteOptions {
  /** Serve HTTPS with {@link testOnlyCertificate}. @default false */
  readonly https?: boolean;
  /** Address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** Port to listen on. @default any free port */
  readonly port?: number;
  /** Refuse connections once this many requests have been answered. */
  readonly refuseAfter?: number;
}

/** A running test site. */
export interface TestSite extends AsyncDisposable {
  /** Origin without a trailing slash: `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** How often each path (with its query) was requested. */
  readonly requests: ReadonlyMap<string, number>;
  /** All requests in order of arrival. */
  readonly received: readonly ReceivedRequest[];
  /** The certificate, if the site serves HTTPS. */
  readonly certificate?: string;
  /** The highest number of requests open at once, on the whole site or on one path. */
  peakConcurrency(path?: string): number;
  /** Adds or replaces a route. */
  route(path: string, route: TestRoute): void;
  /** Forgets the requests counted so far. */
  clear(): void;
  /** Stops accepting connections; the next one is refused. */
  stopListening(): void;
  /** Stops the server and destroys every connection, even in the middle of an answer. */
  close(): Promise<void>;
}

/**
 * Starts a site. A path without a route is looked up in the catalogue of hostile behaviours (`/redirect/3`,
 * `/gzip-bomb/1000` …; `hostileNames` lists them); if it is not there either, the answer is a 404.
 *
 * @example
 * const site = await startTestSite({ "/": '<a href="/redirect/2">two hops</a>', "/robots.txt": hostile("/big-robots") });
 * const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
 * await engine.scrape({ url: site.url });
 * console.log(site.requests.get("/"));
 * await site.close();
 */
export async function startTestSite(routes: TestRoutes = {}, options: TestSiteOptions = {}): Promise<TestSite> {
  const table = new Map(Object.entries(routes));
  const traffic = new TestSiteTraffic();
  const scheme = options.https ? "https" : "http";

  const stopListening = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? "/";
    const path = target.split("?", 1)[0] ?? "/";
    const gone = new AbortController();
    const count = traffic.begin(request, target, path);
    response.once("close", () => {
      traffic.end(path);
      gone.abort();
      if (traffic.received.length >= (options.refuseAfter ?? Number.POSITIVE_INFINITY)) stopListening();
    });
    response.on("error", () => {});
    const url = URL.parse(target, `${scheme}://${request.headers.host}`) ?? new URL(origin);
    const exchange = { request, response, url, segments: [], count, signal: gone.signal, stopListening };
    try {
      await answer(exchange, table.get(target) ?? table.get(path) ?? table.get("*") ?? hostile(path));
    } catch (error) {
      // A client that has gone away is normal here; anything else is a fault of the route.
      if (gone.signal.aborted) return;
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    }
  };

  // The header limit is the client's to test, and a slow exchange must not be ended by the server.
  const settings = { requestTimeout: 0, headersTimeout: 0, maxHeaderSize: 1 << 20 };
  const listener: RequestListener = (request, response) => void serve(request, response);
  const server: Server = options.https
    ? createTlsServer({ ...settings, ...testOnlyCertificate }, listener)
    : createServer(settings, listener);
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      // If the server no longer listens, the callback gets an error, which does not matter.
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: origin,
    port,
    requests: traffic.requests,
    received: traffic.received,
    ...(options.https ? { certificate: testOnlyCertificate.cert } : {}),
    peakConcurrency: (path) => traffic.peak(path),
    route: (path, route) => void table.set(path, route),
    clear: () => traffic.clear(),
    stopListening,
    close,
    [Symbol.asyncDispose]: close,
  };
}
