/** Asks an HTTP proxy for a tunnel on a fresh socket to it. */
import type { Socket } from "node:net";
import { ScrapeError } from "../errors.ts";
import { addressUnreached, proxyFault } from "./error-marks.ts";
import { basicCredentials } from "./url-credentials.ts";

const maxAnswerBytes = 16 * 1024;

/**
 * Resolves when the socket is a tunnel to `authority` (`address:port`). Rejects with a `SCRAPE_SITE_ERROR` that names
 * the proxy and never its credentials; the socket is then of no use.
 */
export function askProxy(
  socket: Socket,
  { authority, proxy, timeoutMs }: { readonly authority: string; readonly proxy: URL; readonly timeoutMs: number },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answer = "";
  const settle = (failure?: Failure): void => {
    clearTimeout(timer);
    socket.off("readable", read).off("error", onClose).off("close", onClose);
    if (!failure) {
      resolve();
      return;
    }
    socket.on("error", () => {}); // What else happens to the socket is of no interest, but must not be uncaught.
    const { message, retryable, couldNot = false } = failure;
    const error = new ScrapeError("SCRAPE_SITE_ERROR", `The proxy ${proxy.host} ${message}`, { retryable });
    if (couldNot) addressUnreached.put(error);
    reject(proxyFault.put(error));
  };
  const onClose = (): void => settle({ message: "closed the connection", retryable: true, couldNot: true });
  const read = (): void => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      answer += chunk.toString("latin1");
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0 && answer.length < maxAnswerBytes) continue;
      settle(failureIn(answer, authority));
      const rest = Buffer.from(answer.slice(end + 4), "latin1");
      if (rest.byteLength > 0) socket.unshift(rest);
      return;
    }
  };
  const timer = setTimeout(() => settle({ message: "did not answer in time", retryable: true }), timeoutMs);
  socket.on("readable", read).on("error", onClose).on("close", onClose);
  const credentials = basicCredentials(proxy);
  const authorization = credentials === undefined ? "" : `proxy-authorization: ${credentials}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`);
  return promise;
}

interface Failure {
  readonly message: string;
  readonly retryable: boolean;
  readonly couldNot?: boolean;
}

function failureIn(answer: string, authority: string): Failure | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1];
  if (status === undefined || !answer.includes("\r\n\r\n")) {
    return { message: "did not answer with valid HTTP", retryable: false };
  }
  if (status.startsWith("2")) return undefined;
  if (status === "407") return { message: "did not accept its credentials (407)", retryable: false };
  if (status.startsWith("5")) {
    return { message: `opened no tunnel to the site (${status})`, retryable: true, couldNot: true };
  }
  // Many proxies allow tunnels only to the port of https.
  const port = authority.slice(authority.lastIndexOf(":") + 1);
  return { message: `permits no tunnel to port ${port} of the site (${status})`, retryable: true };
}
