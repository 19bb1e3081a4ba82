/** Passes on what a proxy receives: a request and its answer, or bytes as they come. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { maxHeaderBytes, withMendedHeads } from "./answer-head.ts";
import { request as sendRequest } from "./node-http.ts";

/**
 * Headers that concern the connection between two machines only. If a site that asks for the password of a proxy were not
 * silenced, a browser would take it for this one, and give it the password again and again.
 */
const hopHeaders: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer".split(" "),
);

/** Sends a request on over its own connection, and the answer back. */
export function relay(request: IncomingMessage, response: ServerResponse, url: URL, socket: Socket): void {
  const headers = endToEnd(request.rawHeaders);
  const outgoing = sendRequest({
    // The browser, too, would read an answer that is not quite HTTP. Nothing else comes on this connection.
    createConnection: () => withMendedHeads(socket),
    insecureHTTPParser: true,
    maxHeaderSize: maxHeaderBytes,
    method: request.method,
    path: url.pathname + url.search,
    headers: [...headers, "connection", "close"],
    setHost: false,
  });
  let received: IncomingMessage | undefined;
  // What comes behind a complete answer is no fault of the answer.
  outgoing.on("error", () => received?.complete || request.socket.destroy());
  outgoing.on("response", (answer) => {
    received = answer;
    answer.on("error", () => request.socket.destroy());
    answer.on("aborted", () => request.socket.destroy());
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
    } catch {
      request.socket.destroy();
      return;
    }
    answer.pipe(response);
  });
  response.on("close", () => socket.destroy());
  request.pipe(outgoing);
}

function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    if (!hopHeaders.has(raw[index]!.toLowerCase())) kept.push(raw[index]!, raw[index + 1]!);
  }
  return kept;
}

/** Passes bytes in both directions; when one side ends, the other does too. */
export function join(one: Duplex, other: Duplex): void {
  passOn(one, other);
  passOn(other, one);
}

/** What has come before the end is still passed on, although its reader may be slow; a broken connection breaks the other. */
function passOn(from: Duplex, to: Duplex): void {
  from.on("error", () => to.destroy());
  from.on("close", () => (from.readableEnded ? to.end(() => to.destroy()) : to.destroy()));
  from.pipe(to);
}
