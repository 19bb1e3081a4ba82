/** Requests that the browser's Fetch domain has paused, and what they may be answered with. */
import type { CDPSession } from "playwright";
import type { FetchResponse } from "../../ports/fetcher.ts";

/** The part of the event `Fetch.requestPaused` that is used. */
export interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly frameId: string;
  readonly resourceType: string;
  readonly responseStatusCode?: number;
  readonly responseStatusText?: string;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly redirectedRequestId?: string;
}

interface Replies {
  proceed(event: Paused, parameters?: object): void;
  fail(event: Paused, errorReason: string): void;
  /** Answers with the body instead of the server. */
  fulfill(event: Paused, head: Pick<FetchResponse, "statusCode" | "headers">, body: Uint8Array): void;
}

export function createReplies(session: CDPSession): Replies {
  // A request whose page has gone can no longer be answered; that is not an error.
  const send = (method: "Fetch.continueRequest" | "Fetch.failRequest" | "Fetch.fulfillRequest", parameters: object) =>
    void session.send(method, parameters as never).catch(() => {});
  return {
    proceed: ({ requestId }, parameters = {}) => send("Fetch.continueRequest", { requestId, ...parameters }),
    fail: ({ requestId }, errorReason) => send("Fetch.failRequest", { requestId, errorReason }),
    fulfill({ requestId }, { statusCode, headers }, body) {
      send("Fetch.fulfillRequest", {
        requestId,
        responseCode: statusCode,
        responseHeaders: [{ name: "content-type", value: headers["content-type"] ?? "" }],
        body: Buffer.from(body).toString("base64"),
      });
    },
  };
}

/** The headers of a request with some of our own, as the domain takes them. */
export function withHeaders(
  present: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): object[] {
  const headers = new Map(Object.entries(present).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return [...headers].map(([name, value]) => ({ name, value }));
}

/** Names in lower case; without `set-cookie`. */
export function headersOf(list: readonly { name: string; value: string }[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of list) {
    const key = name.toLowerCase();
    if (key === "set-cookie") continue;
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}
