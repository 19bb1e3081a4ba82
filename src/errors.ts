/**
 * The errors of crawlcore.
 *
 *   CrawlcoreError            code, statusCode, details?, cause?
 *   ├── RequestError          the call cannot be served as it stands
 *   │     BAD_REQUEST 400 · INSUFFICIENT_CREDITS 402 · FORBIDDEN_ADDRESS 403 · NOT_FOUND 404
 *   │     CONFLICT 409 · UNSUPPORTED 501 · ENGINE_CLOSED 503
 *   └── ScrapeError           a page could not be scraped; inside a job it is recorded, not thrown
 *         SCRAPE_TIMEOUT 408 · SCRAPE_DNS_RESOLUTION_ERROR · SCRAPE_SSL_ERROR · SCRAPE_SITE_ERROR
 *         SCRAPE_ACTION_ERROR · SCRAPE_UNSUPPORTED_FILE_ERROR · SCRAPE_ALL_ENGINES_FAILED
 *         SCRAPE_PDF_INSUFFICIENT_TIME_ERROR · SCRAPE_ZDR_VIOLATION_ERROR · MAP_TIMEOUT 408
 *         UNKNOWN_ERROR (the rest 500)
 *
 * The engine itself never raises SCRAPE_PDF_INSUFFICIENT_TIME_ERROR and SCRAPE_ZDR_VIOLATION_ERROR. They are codes of the
 * service, for use by servers and a host's own fetchers.
 *
 * A call that was stopped by its `AbortSignal` rejects with the signal's own reason instead.
 */

/** Codes of {@link RequestError}, with the status that a server around the engine would answer. */
const requestErrorStatus = {
  BAD_REQUEST: 400,
  INSUFFICIENT_CREDITS: 402,
  FORBIDDEN_ADDRESS: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UNSUPPORTED: 501,
  ENGINE_CLOSED: 503,
} as const;

/** Codes of {@link ScrapeError}, with the status that a server around the engine would answer. */
const scrapeErrorStatus = {
  SCRAPE_TIMEOUT: 408,
  SCRAPE_ALL_ENGINES_FAILED: 500,
  SCRAPE_SSL_ERROR: 500,
  SCRAPE_SITE_ERROR: 500,
  SCRAPE_DNS_RESOLUTION_ERROR: 500,
  SCRAPE_ACTION_ERROR: 500,
  SCRAPE_UNSUPPORTED_FILE_ERROR: 500,
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: 500,
  SCRAPE_ZDR_VIOLATION_ERROR: 500,
  MAP_TIMEOUT: 408,
  UNKNOWN_ERROR: 500,
} as const;

/** The codes of a {@link RequestError}. */
export type RequestErrorCode = keyof typeof requestErrorStatus;
/** The codes of a {@link ScrapeError}. */
export type ScrapeErrorCode = keyof typeof scrapeErrorStatus;
/** Every code that an error of this package can have; branch on it. */
export type ErrorCode = RequestErrorCode | ScrapeErrorCode;

/** One thing that is wrong with a request: where it is, and what it is. */
export interface ErrorDetail {
  /** The kind of problem, as the schema validator names it: `invalid_type`, `unrecognized_keys` … */
  readonly code?: string;
  /** The path to the value: `["scrapeOptions", "actions", 0, "selector"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** With `unrecognized_keys`: the keys. */
  readonly keys?: readonly string[];
}

interface ErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
}

const marker = Symbol.for("crawlcore.error");

/**
 * Base of all errors of this package.
 *
 * @example
 * try {
 *   await engine.scrape({ url: "https://example.com" });
 * } catch (error) {
 *   if (CrawlcoreError.isInstance(error)) response.status(error.statusCode).json(error);
 *   else throw error;
 * }
 */
export class CrawlcoreError extends Error {
  override name = "CrawlcoreError";
  /** What went wrong, as a stable name; branch on this, not on the message. */
  readonly code: ErrorCode;
  /** The HTTP status with which a server around the engine would answer. */
  readonly statusCode: number;
  /** With `BAD_REQUEST`: every issue found, at once. */
  declare readonly details?: readonly ErrorDetail[];

  constructor(code: ErrorCode, statusCode: number, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.statusCode = statusCode;
    if (options.details !== undefined) this.details = options.details;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for an error of this package, including one from a second installed copy of it. */
  static isInstance(value: unknown): value is CrawlcoreError {
    try {
      return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
    } catch {
      return false; // A `Proxy` that refuses to be read.
    }
  }

  /** The body with which the service answers a call that failed. */
  toJSON(): { success: false; error: string; code: ErrorCode; details?: readonly ErrorDetail[] } {
    return {
      success: false,
      error: this.message,
      code: this.code,
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/**
 * The call cannot be served as it stands: bad input, an unknown job, missing credits, a feature that is not configured.
 */
export class RequestError extends CrawlcoreError {
  override name = "RequestError";

  constructor(code: RequestErrorCode, message: string, options?: ErrorOptions) {
    super(code, requestErrorStatus[code], message, options);
  }

  /** True for a `RequestError`, including one from a second installed copy of this package. */
  static override isInstance(value: unknown): value is RequestError {
    return CrawlcoreError.isInstance(value) && Object.hasOwn(requestErrorStatus, value.code);
  }
}

/**
 * A page could not be scraped. Inside a job this becomes an entry of the job's errors and the page's `metadata.error`.
 */
export class ScrapeError extends CrawlcoreError {
  override name = "ScrapeError";
  /** True when trying again later may succeed: after a lost connection, or with an overloaded server. */
  readonly retryable: boolean;

  constructor(code: ScrapeErrorCode, message: string, options: ErrorOptions & { retryable?: boolean } = {}) {
    super(code, scrapeErrorStatus[code], message, options);
    this.retryable = options.retryable ?? false;
  }

  /** True for a `ScrapeError`, including one from a second installed copy of this package. */
  static override isInstance(value: unknown): value is ScrapeError {
    return CrawlcoreError.isInstance(value) && Object.hasOwn(scrapeErrorStatus, value.code);
  }
}

/** Whether a page, or what a call waited for, was not finished in time. */
export function isTimeout(error: unknown): boolean {
  return ScrapeError.isInstance(error) && error.code === "SCRAPE_TIMEOUT";
}
