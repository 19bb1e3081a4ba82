/**
 * The one way out to the network: pages, robots.txt, sitemaps, webhooks and search providers all go through it.
 *
 * Contract
 * - Each address is checked by the engine's guard when it is connected to, on every hop.
 * - Rejects with a `ScrapeError` (`SCRAPE_DNS_RESOLUTION_ERROR`, `SCRAPE_SSL_ERROR`, `SCRAPE_SITE_ERROR`,
 *   `SCRAPE_UNSUPPORTED_FILE_ERROR` for a body over the cap), with `FORBIDDEN_ADDRESS`, or with the signal's reason.
 * - Never retries what a server may have seen.
 */
export interface HttpClient {
  /** The whole answer; the body is decoded and held in memory, up to `maxBodyBytes`. */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** The same with a body that streams. The caller must read it to its end or return from the iterator. */
  stream(request: HttpRequest): Promise<HttpStreamResponse>;
  close(): Promise<void>;
}

/** What goes out. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "HEAD";
  /** Names in lower case. Dropped together with credentials when a redirect leaves the origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of a POST: its receiver does not mind to get it twice, so that it can go out once more where a GET would. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
  /** Redirects to follow; 0 refuses any. Default: the engine's `network.maxRedirects`. */
  readonly maxRedirects?: number;
  /**
   * Where the page of a whole answer leads on to at once, if it does. Followed as redirects are, and counted as one; a
   * page that leads back is returned. For `request` only.
   */
  readonly onward?: (response: HttpResponse) => string | undefined;
  /** Asked about each address that the request is led on to, before it is followed; what it rejects with ends the request. */
  readonly beforeRedirect?: (url: string) => Promise<void>;
  /** Cap on decoded bytes. Default: the engine's `network.maxBodyBytes`. */
  readonly maxBodyBytes?: number;
  readonly skipTlsVerification?: boolean;
  /** `http://user:password@host:port` of a proxy to go through. */
  readonly proxy?: string;
}

export interface HttpResponseHead {
  readonly url: string;
  readonly statusCode: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly string[];
}

/** An answer with its whole body. */
export interface HttpResponse extends HttpResponseHead {
  readonly body: Uint8Array;
}

export interface HttpStreamResponse extends HttpResponseHead {
  readonly body: AsyncIterable<Uint8Array>;
}
