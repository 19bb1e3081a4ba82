/** The engine's one way out to the network, over HTTP/1.1: redirects, cookies within them, decoding, limits. */
import { connectionHeaders } from "../contract/headers.ts";
import { RequestError, ScrapeError } from "../errors.ts";
import { type NetworkOptions, networkDefaults } from "../network-options.ts";
import type {
  HttpClient,
  HttpRequest,
  HttpResponse,
  HttpResponseHead,
  HttpStreamResponse,
} from "../ports/http-client.ts";
import { parseHttpUrl } from "../shared/http-url.ts";
import { collectBody, streamBody } from "./body-limits.ts";
import { createConnections } from "./connections.ts";
import type { ConnectorOf } from "./connectors.ts";
import { acceptEncoding } from "./content-decoding.ts";
import { malformedAnswer } from "./error-marks.ts";
import { type Answer, exchange } from "./exchange.ts";
import { createLenientExchange } from "./lenient-exchange.ts";
import { STATUS_CODES } from "./node-http.ts";
import { type Hop, hopTo, leave, nextHop, requestHeaders, type Trip } from "./redirects.ts";
import { basicCredentials, withoutCredentials } from "./url-credentials.ts";

/** Most bytes of a redirect's own page that are read so that its connection can be reused. */
const maxRedirectBody = 16 * 1024;
/** Milliseconds to wait for that page: some servers announce it and do not send it. Browsers do not wait at all. */
const maxRedirectWait = 500;
/** Headers that are not under the caller's control. */
const ownHeaders: ReadonlySet<string> = new Set([...connectionHeaders, "proxy-authorization"]);

/**
 * Creates the HTTP client of one engine.
 *
 * @example
 * const client = createHttpClient(createConnectors({}), {});
 * const { statusCode, body } = await client.request({ url: "https://example.com/" });
 * await client.close();
 */
export function createHttpClient(connectorOf: ConnectorOf, network: NetworkOptions): HttpClient {
  const connections = createConnections(connectorOf);
  const lenient = createLenientExchange(connectorOf);
  const userAgent = network.userAgent ?? networkDefaults.userAgent;

  const isRepeatable = ({ repeatable }: HttpRequest, { method }: Hop): boolean => repeatable ?? method !== "POST";

  /** @param leniently an answer to the same request could not be read */
  function ask(request: HttpRequest, { hop, jar }: Trip, leniently: boolean): Promise<Answer> {
    const { signal } = request;
    const { url, method, body } = hop;
    const route = { skipTlsVerification: request.skipTlsVerification ?? false, proxy: request.proxy };
    const asked = { method, path: url.pathname + url.search, headers: requestHeaders(hop, jar), body };
    if (leniently) return lenient.ask(url, route, asked, signal);
    const repeatable = isRepeatable(request, hop);
    return exchange(connections, url, route, asked, signal, repeatable).catch((error: unknown) => {
      if (!repeatable || !malformedAnswer.isOn(error)) throw error;
      return lenient.ask(url, route, asked, signal);
    });
  }

  /** Follows redirects to the final answer. */
  async function send(
    request: HttpRequest,
    trip: Trip,
    leniently = false,
  ): Promise<{ answer: Answer; head: HttpResponseHead }> {
    const { signal } = request;
    for (;;) {
      const { url } = trip.hop;
      const answer = await ask(request, trip, leniently);
      const location = single(answer.headers["location"]);
      const next = trip.maxRedirects > 0 ? nextHop(trip.hop, answer.statusCode, location) : undefined;
      if (!next) return { answer, head: headOf(answer, url, [...trip.redirects]) };
      await discard(answer, signal);
      if (!leave(trip, answer.headers["set-cookie"], next)) {
        throw new ScrapeError(
          "SCRAPE_SITE_ERROR",
          `Redirect loop: ${withoutCredentials(next.url)} leads back to itself`,
        );
      }
      await request.beforeRedirect?.(withoutCredentials(next.url));
    }
  }

  const begin = (request: HttpRequest): Trip => ({
    hop: firstHop(request, userAgent),
    jar: undefined,
    redirects: [],
    seen: new Set(),
    maxRedirects: request.maxRedirects ?? network.maxRedirects ?? networkDefaults.maxRedirects,
  });

  const limitOf = (request: HttpRequest): number =>
    request.maxBodyBytes ?? network.maxBodyBytes ?? networkDefaults.maxBodyBytes;

  return {
    async request(request): Promise<HttpResponse> {
      const trip = begin(request);
      let leniently = false;
      for (;;) {
        const { answer, head } = await send(request, trip, leniently);
        const { isUnwanted } = request;
        const isEnough = isUnwanted && ((start: Uint8Array) => isUnwanted({ ...head, body: start }));
        const body = await collectBody(answer, limitOf(request), isEnough).catch((error: unknown) => {
          // The chunks of a body may be malformed like a head.
          if (leniently || !isRepeatable(request, trip.hop) || !malformedAnswer.isOn(error)) throw error;
        });
        if (body === undefined) {
          leniently = true;
          continue;
        }
        const response = { ...head, body };
        const target = trip.maxRedirects > 0 ? request.onward?.(response) : undefined;
        const next = target === undefined ? undefined : hopTo(trip.hop, target);
        if (!next || !leave(trip, answer.headers["set-cookie"], next)) return response;
        await request.beforeRedirect?.(withoutCredentials(next.url));
      }
    },
    async stream(request): Promise<HttpStreamResponse> {
      const { answer, head } = await send(request, begin(request));
      return { ...head, body: streamBody(answer, limitOf(request)) };
    },
    close() {
      lenient.close();
      return connections.close();
    },
  };
}

function firstHop(request: HttpRequest, userAgent: string): Hop {
  const url = parseHttpUrl(request.url);
  if (url === null) throw new RequestError("BAD_REQUEST", "Only absolute http and https URLs can be fetched");
  return {
    url,
    method: request.method ?? "GET",
    headers: { "user-agent": userAgent, "accept-encoding": acceptEncoding, ...sendable(request.headers) },
    headersFor: (address) => sendable(request.headersFor?.(address)),
    body: request.body,
    credentials: basicCredentials(url),
  };
}

/** The headers that a caller may choose, with their names in lower case. */
function sendable(chosen: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers = Object.entries(chosen).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(headers.filter(([name]) => !ownHeaders.has(name)));
}

function headOf(answer: Answer, url: URL, redirects: readonly string[]): HttpResponseHead {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && name !== "set-cookie")
      headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  return {
    url: withoutCredentials(url),
    statusCode: answer.statusCode,
    statusText: answer.statusText || STATUS_CODES[answer.statusCode] || "",
    headers,
    redirects,
  };
}

async function discard({ body }: Answer, signal: AbortSignal | undefined): Promise<void> {
  let bytes = 0;
  const patience = setTimeout(() => body.cancel(), maxRedirectWait);
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxRedirectBody) break;
    }
  } catch {
    signal?.throwIfAborted(); // Otherwise it is only the page of a redirect that broke off.
  } finally {
    clearTimeout(patience);
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
