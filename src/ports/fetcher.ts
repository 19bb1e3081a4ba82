import type { ParsedAction } from "../contract/actions.ts";
import type { HeadersFor } from "./http-client.ts";

/**
 * A fetcher turns a URL into bytes. An engine has two of its own, HTTP and the browser; a host may add others in its
 * option `fetchers`.
 *
 * Contract
 * - `fetch` is safe to repeat. Retrying is up to the caller (`jobs/retry`), never to the fetcher.
 * - When `signal` fires, it stops at once, down to sockets and browser pages, and rejects with the signal's reason.
 * - Any HTTP status is a response, not an error. It rejects only with a `ScrapeError` or a `RequestError`. The code
 *   `UNSUPPORTED` passes the page on to the next fetcher. After an `UNKNOWN_ERROR` or `SCRAPE_ALL_ENGINES_FAILED`, the
 *   next one is tried too; the other codes end the scrape.
 * - Every address that it connects to, including those of redirects, has passed the engine's address guard. What a
 *   host's fetcher connects to is its own affair: the engine only checks the address of the request before it asks it.
 * - No cookie, cache entry or connection state of one request may be visible to another request.
 */
export interface Fetcher {
  /** Appears as `metadata.engine` of the pages that it fetches. */
  readonly name: string;
  /** What it can do beyond fetching bytes. A request is only given to fetchers that can do everything it needs. */
  readonly can: ReadonlySet<FetchNeed>;
  fetch(request: FetchRequest): Promise<FetchResponse>;
  /** Releases all resources. Idempotent. */
  close(): Promise<void>;
}

/** What a request may need beyond fetching bytes. */
export type FetchNeed = "render" | "waitFor" | "actions" | "screenshot" | "mobile" | "location" | "stealth";

/** A page to be fetched, and how. */
export interface FetchRequest {
  /** Absolute http(s) URL. */
  readonly url: string;
  /** The caller's own headers, names in lower case; sent to the origin of `url` only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly needs: ReadonlySet<FetchNeed>;
  /** Fires at the deadline, or when the caller aborts. */
  readonly signal: AbortSignal;
  readonly skipTlsVerification: boolean;
  readonly blockAds: boolean;
  readonly mobile: boolean;
  readonly location?: { readonly country?: string; readonly languages?: readonly string[] };
  /** Milliseconds that the whole page may take; then `signal` fires. */
  readonly timeout?: number;
  /**
   * Wraps waiting that is due to a lack of room in this process, so that it does not count against `timeout`; resolves
   * or rejects as the promise does. Absent if somebody is waiting for the answer, in which case waiting counts.
   */
  readonly untimed?: <Value>(waiting: Promise<Value>) => Promise<Value>;
  /**
   * Tell it what the fetch is waiting for, and undefined when that is over: the error of an expired timeout then names
   * it.
   */
  readonly awaits?: (what: string | undefined) => void;
  /** Milliseconds to wait after the page has loaded. */
  readonly waitFor: number;
  readonly actions: readonly ParsedAction[];
  readonly screenshot?: { readonly fullPage: boolean };
  /** Proxy tier to use. `basic` means a direct connection if no basic proxies are configured. */
  readonly proxy: "basic" | "stealth";
  /** Try once more with the stealth tier if the site refuses the basic one. */
  readonly stealthFallback?: boolean;
  /** The team for which the page is fetched; browser state is kept apart by it. */
  readonly team: string;
  /** The caller wants nothing of the page to be kept anywhere; a fetcher that cannot promise this refuses the page. */
  readonly zeroDataRetention?: boolean;
  /** For a conditional request: values of an earlier answer. */
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
  /**
   * Whether an answer whose body begins like this is of no use, such as that of a film. The rest of it need not be
   * loaded: the start suffices as `body`.
   */
  readonly isUnwanted?: (start: Pick<FetchResponse, "url" | "headers" | "body">) => boolean;
  /**
   * Called with each address that a redirect leads to, before that is requested; a rejection ends the fetch with the
   * same reason.
   */
  readonly beforeRedirect?: BeforeRedirect;
  /**
   * The headers of the caller that may be sent to an address of another origin, to which a redirect leads. Without it,
   * and with a fetcher that does not know it, there are none.
   */
  readonly headersFor?: HeadersFor;
}

/** Called with an address before a redirect to it is followed; rejects to end the fetch. */
export type BeforeRedirect = (url: string) => Promise<void>;

/** The answer, whatever its status. */
export interface FetchResponse {
  /** Final URL after redirects. */
  readonly url: string;
  readonly statusCode: number;
  /** Reason phrase of the status; the standard one if the server sent none. */
  readonly statusText: string;
  /** Header names in lower case; repeated headers are joined with ", "; `set-cookie` is left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body (see `content-encoding`). From a browser: the rendered page as UTF-8. */
  readonly body: Uint8Array;
  /** True if `body` is a rendered DOM; it is then UTF-8, whatever the headers say. */
  readonly rendered: boolean;
  /** The URLs that redirected, in order, without the final one. */
  readonly redirects: readonly string[];
  readonly proxyUsed: "basic" | "stealth";
  readonly screenshot?: Uint8Array | undefined;
  readonly actions?: ActionResults | undefined;
  readonly warning?: string | undefined;
}

/** The results of actions, each list in the order of the actions of its kind. */
export interface ActionResults {
  readonly screenshots: readonly Uint8Array[];
  readonly scrapes: readonly { readonly url: string; readonly html: string }[];
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[];
  readonly pdfs: readonly Uint8Array[];
}
