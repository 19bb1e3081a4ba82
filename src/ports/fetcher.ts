import type { ParsedAction } from "../contract/actions.ts";

/**
 * A fetcher turns a URL into bytes. Drivers of the package: HTTP and browser; a host may add its own.
 *
 * Contract
 * - `fetch` is safe to call again; who retries is the caller (`jobs/retry`), never the fetcher.
 * - It stops at once when `signal` fires, down to sockets and browser pages, and rejects with the signal's reason.
 * - Any HTTP status is a response, not an error. It rejects only with a `ScrapeError` or a `RequestError`.
 * - Every address it connects to has passed the engine's address guard, on every redirect hop.
 * - No cookie, cache entry or connection state of one request may be seen by another request.
 */
export interface Fetcher {
  readonly name: string;
  /** What it can do beyond fetching bytes. A request goes only to fetchers that can do all it needs. */
  readonly can: ReadonlySet<FetchNeed>;
  fetch(request: FetchRequest): Promise<FetchResponse>;
  /** Releases everything; idempotent. */
  close(): Promise<void>;
}

/** What a request may need beyond bytes. */
export type FetchNeed = "render" | "waitFor" | "actions" | "screenshot" | "mobile" | "location" | "stealth";

/** A page to be fetched, with all that its caller wants of it. */
export interface FetchRequest {
  /** Absolute http(s) URL. */
  readonly url: string;
  /** The caller's own headers, names in lower case; sent to the origin of `url` only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly needs: ReadonlySet<FetchNeed>;
  /** One deadline and the caller's abort, united. */
  readonly signal: AbortSignal;
  readonly skipTlsVerification: boolean;
  readonly blockAds: boolean;
  readonly mobile: boolean;
  readonly location?: { readonly country?: string; readonly languages?: readonly string[] };
  /** Milliseconds that the whole page may take; `signal` fires after them. */
  readonly timeout?: number;
  /**
   * For what is waited for because this process has no room yet: that uses nothing of `timeout` up. Absent where somebody
   * waits for the answer. The promise's outcome.
   */
  readonly untimed?: <Value>(waiting: Promise<Value>) => Promise<Value>;
  /** Told what is being waited for, and undefined when that is over: the error of a time that is up names it. */
  readonly awaits?: (what: string | undefined) => void;
  /** Milliseconds to wait after the page has loaded. */
  readonly waitFor: number;
  readonly actions: readonly ParsedAction[];
  readonly screenshot?: { readonly fullPage: boolean };
  /** Proxy tier to use; absent: the fetcher's direct way, or the basic tier when one is configured. */
  readonly proxy: "basic" | "stealth";
  /** Try once more with the stealth tier when the site refuses the basic one. */
  readonly stealthFallback?: boolean;
  /** The team the page is fetched for; isolates browser state. */
  readonly team: string;
  /** Conditional request: values of an earlier answer. */
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
  /**
   * Asked about each address that a redirect leads to, before it is asked for itself; what this rejects with ends the
   * fetch.
   */
  readonly beforeRedirect?: BeforeRedirect;
}

export type BeforeRedirect = (url: string) => Promise<void>;

/** What came, whatever its status. */
export interface FetchResponse {
  /** Final URL after redirects. */
  readonly url: string;
  readonly statusCode: number;
  /** Reason phrase for the status (the standard one where the server sent none). */
  readonly statusText: string;
  /** Header names in lower case; repeated headers joined with ", " (set-cookie is left out). */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from content-encoding. From a browser: the rendered page as UTF-8. */
  readonly body: Uint8Array;
  /** True when `body` is a rendered DOM, so its charset is UTF-8 whatever the headers say. */
  readonly rendered: boolean;
  /** URLs that redirected, in order, without the final one. */
  readonly redirects: readonly string[];
  readonly proxyUsed: "basic" | "stealth";
  readonly screenshot?: Uint8Array;
  readonly actions?: ActionResults;
  readonly warning?: string;
}

export interface ActionResults {
  readonly screenshots: readonly Uint8Array[];
  readonly scrapes: readonly { readonly url: string; readonly html: string }[];
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[];
  readonly pdfs: readonly Uint8Array[];
}
