/** Converts the errors of sockets, TLS, the HTTP parser and decoders into errors of this package. */
import { CrawlcoreError, RequestError, ScrapeError } from "../errors.ts";
import { malformedAnswer } from "./error-marks.ts";

/** What is known about the attempt that failed. */
interface FailedAttempt {
  /** `host` or `host:port`, for the message. */
  readonly host: string;
  readonly skipTlsVerification: boolean;
}

/**
 * Failures of the connection: what to say after "The connection to <host>", and whether the failure may be temporary.
 */
const connectionFailures: Readonly<Record<string, readonly [message: string, retryable: boolean]>> = {
  ECONNREFUSED: ["was refused", true],
  ECONNRESET: ["was reset", true],
  ECONNABORTED: ["was reset", true],
  EPIPE: ["was closed before the answer was complete", true],
  UND_ERR_SOCKET: ["was closed before the answer was complete", true],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["ended before the announced length of the answer", true],
  ETIMEDOUT: ["could not be made in time", true],
  UND_ERR_CONNECT_TIMEOUT: ["could not be made in time", true],
  UND_ERR_HEADERS_TIMEOUT: ["brought no answer in time", true],
  UND_ERR_BODY_TIMEOUT: ["stood still in the middle of the answer", true],
  EHOSTUNREACH: ["found no route", true],
  ENETUNREACH: ["found no route", true],
  EADDRNOTAVAIL: ["found no route", true],
  // What the process, or its machine, has used up says nothing about the site, and no other fetcher would have more.
  EMFILE: ["could not be opened, because too many are open", true],
  ENFILE: ["could not be opened, because too many are open", true],
  ENOBUFS: ["could not be opened, because memory is short", true],
  ENOMEM: ["could not be opened, because memory is short", true],
  EACCES: ["is not permitted by the operating system", false],
  UND_ERR_HEADERS_OVERFLOW: ["brought more headers than are accepted", false],
};

/** Prefixes of the codes of certificate and TLS failures, of OpenSSL and of Node. */
const tlsCodes =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO$)/;

/** Codes of TLS itself: another version, no common cipher, no TLS at all. Skipping verification does not help there. */
const handshakeCodes = /^(?:ERR_SSL_|EPROTO$)/;

/** undici's message for the interim answer 100, which some servers send unasked. */
const unwanted = "bad response";

/** The error for an answer that breaks the rules of HTTP. */
export function invalidAnswer(host: string, cause?: unknown): ScrapeError {
  const error = new ScrapeError("SCRAPE_SITE_ERROR", `${host} did not answer with valid HTTP`, { cause });
  // An answer that does not even begin like HTTP is of another protocol.
  if (!(cause instanceof Error && cause.message.includes("Expected HTTP/"))) malformedAnswer.put(error);
  return error;
}

/** Returns an error of this package as it is; converts any other. */
export function networkError(error: unknown, attempt: FailedAttempt): CrawlcoreError {
  if (CrawlcoreError.isInstance(error)) return error;
  const cause = firstOf(error);
  const code = codeOf(cause);
  const { name, message } = (cause ?? {}) as Partial<Error>;
  // For a status of zeros, undici reports only a failed assertion.
  if (name === "HTTPParserError" || code === "ERR_ASSERTION" || code.startsWith("HPE_") || message === unwanted) {
    return invalidAnswer(attempt.host, cause);
  }
  const known = connectionFailures[code];
  if (known) {
    return new ScrapeError("SCRAPE_SITE_ERROR", `The connection to ${attempt.host} ${known[0]} (${code})`, {
      cause,
      retryable: known[1],
    });
  }
  if (tlsCodes.test(code)) {
    const advice =
      attempt.skipTlsVerification || handshakeCodes.test(code)
        ? "The server's TLS itself is at fault; the site may still answer on http://"
        : "With skipTlsVerification: true the page is fetched in spite of a bad certificate";
    return new ScrapeError("SCRAPE_SSL_ERROR", `No secure connection to ${attempt.host} (${code}). ${advice}`, {
      cause,
    });
  }
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") {
    return new RequestError("BAD_REQUEST", `The request cannot be sent: ${(cause as Error).message}`, { cause });
  }
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED") {
    return new RequestError("ENGINE_CLOSED", "The engine has been closed", { cause });
  }
  return new ScrapeError("UNKNOWN_ERROR", `The request to ${attempt.host} failed (${code || "no code"})`, { cause });
}

/**
 * If connecting to several addresses fails, all their errors are combined in one; the first is that of the preferred
 * address.
 */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

/** Codes for a server that accepted the connection, and closed it before its answer was complete. */
const hangUps: ReadonlySet<string> = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"]);

/** True if the server hung up, as some do on visitors that ask too often. */
export function isHangUp(error: unknown): boolean {
  return CrawlcoreError.isInstance(error) && hangUps.has(causeCode(error.cause));
}

/** The code of the original error; empty if it has none. */
export function causeCode(error: unknown): string {
  return codeOf(firstOf(error));
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}
