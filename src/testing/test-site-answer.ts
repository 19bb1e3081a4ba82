/** What a route of the test site may be, and how it is turned into an answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One request as a handler sees it. */
export interface TestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The absolute URL that was asked for. */
  readonly url: URL;
  /** The path segments behind the name of a catalogue behaviour: `["3"]` for `/redirect/3`. */
  readonly segments: readonly string[];
  /** How often this path and query was asked for so far, this time included. */
  readonly count: number;
  /** Fires when the client has gone or the site is closed. */
  readonly signal: AbortSignal;
  /** From now on new connections are refused and idle ones are dropped; this answer is still sent. */
  stopListening(): void;
}

/** An answer as data. */
export interface TestAnswer {
  /** @default 200 */
  readonly status?: number;
  /** @default { "content-type": "text/html; charset=utf-8" } for a body that is a string */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds to wait before the answer. */
  readonly delay?: number;
}

/** Answers by returning an answer, or writes to `exchange.response` itself and returns nothing. */
export type TestHandler = (
  exchange: TestExchange,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is the common case
) => TestAnswer | string | undefined | void | Promise<TestAnswer | string | undefined | void>;

/** A string is an HTML page. */
export type TestRoute = string | TestAnswer | TestHandler;

/** Paths (with or without a query) and what is served there; `"*"` serves all that nothing else serves. */
export type TestRoutes = Readonly<Record<string, TestRoute>>;

/** Serves one exchange by its route. */
export async function answer(exchange: TestExchange, route: TestRoute): Promise<void> {
  const result = typeof route === "function" ? await route(exchange) : route;
  if (result === undefined) return;
  const { status = 200, headers = {}, body = "", delay = 0 } = typeof result === "string" ? { body: result } : result;
  if (delay > 0) await sleep(delay, undefined, { signal: exchange.signal });
  const { response } = exchange;
  response.statusCode = status;
  if (typeof body === "string") response.setHeader("content-type", "text/html; charset=utf-8");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}

/**
 * Writes with back-pressure: resolves once the client can take more, false when it has gone.
 * A stream without an end must stop there.
 */
export async function send(exchange: TestExchange, chunk: string | Uint8Array): Promise<boolean> {
  const { response, signal } = exchange;
  if (signal.aborted) return false;
  if (response.write(chunk)) return true;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    response.once("drain", done);
    signal.addEventListener("abort", done);
  });
  return !signal.aborted;
}
