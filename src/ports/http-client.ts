/**
 * The one way out to the network: pages, robots.txt, sitemaps, webhooks and search providers all go through it.
 *
 * Contract
 * - The engine's guard checks each address when it is connected to, on every hop.
 * - It rejects with a `ScrapeError` (`SCRAPE_DNS_RESOLUTION_ERROR`, `SCRAPE_SSL_ERROR`, `SCRAPE_SITE_ERROR`, or
 *   `SCRAPE_UNSUPPORTED_FILE_ERROR` for a body over the limit), with `FORBIDDEN_ADDRESS`, or with the signal's reason.
 * - It does not retry, with one exception: a request that is no POST, or is `repeatable`, is sent once more if its
 *   connection turned out to be closed or the answer was malformed.
 */
export interface HttpClient {
  /** Resolves with the whole answer; the body is decoded and held in memory, up to `maxBodyBytes`. */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** The same with a streamed body. The caller must read it to its end or return from the iterator. */
  stream(request: HttpRequest): Promise<HttpStreamResponse>;
  close(): Promise<void>;
}

/** The headers that may be sent to an address. */
export type HeadersFor = (url: URL) => Readonly<Record<string, string>> | undefined;

/** A request to be sent. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "HEAD" | undefined;
  /**
   * Names in lower case. Dropped together with credentials when a redirect leaves the origin, unless it leads from http
   * to https on the same host.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The headers for an address of another origin, to which a redirect leads, besides those that say nothing about the
   * caller. Without it there are no others.
   */
  readonly headersFor?: HeadersFor | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** For a POST: it does no harm if the receiver gets it twice, so it may be repeated in the same cases as a GET. */
  readonly repeatable?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most redirects to follow; 0 refuses any. Default: the engine's `network.maxRedirects`. */
  readonly maxRedirects?: number | undefined;
  /**
   * Returns the address that the page in an answer leads on to at once, if it does. That is followed and counted like a
   * redirect; a page that leads back is returned. For `request` only.
   */
  readonly onward?: ((response: HttpResponse) => string | undefined) | undefined;
  /**
   * Called with each address that a redirect leads to, before it is followed; a rejection ends the request with the
   * same reason.
   */
  readonly beforeRedirect?: ((url: string) => Promise<void>) | undefined;
  /**
   * Called with the start of a body of more than 128 KiB, decoded: if true, the rest is not loaded, and the body is just
   * this start. For `request` only.
   */
  readonly isUnwanted?: ((start: HttpResponse) => boolean) | undefined;
  /** Most bytes of the decoded body. Default: the engine's `network.maxBodyBytes`. */
  readonly maxBodyBytes?: number | undefined;
  readonly skipTlsVerification?: boolean | undefined;
  /** A proxy to go through: `http://user:password@host:port`. */
  readonly proxy?: string | undefined;
}

/** An answer without its body. */
export interface HttpResponseHead {
  /** Final URL after redirects, without credentials. */
  readonly url: string;
  readonly statusCode: number;
  /** Reason phrase of the status; the standard one if the server sent none. */
  readonly statusText: string;
  /** Header names in lower case; repeated headers are joined with ", "; `set-cookie` is left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URLs that redirected, in order, without the final one. */
  readonly redirects: readonly string[];
}

/** An answer with its whole body. */
export interface HttpResponse extends HttpResponseHead {
  readonly body: Uint8Array;
}

/** An answer whose body is a stream. */
export interface HttpStreamResponse extends HttpResponseHead {
  readonly body: AsyncIterable<Uint8Array>;
}
