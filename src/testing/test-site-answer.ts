/** The routes of the test site, and how they become answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One request, as a handler gets it. */
export interface TestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The absolute URL that was requested. */
  readonly url: URL;
  /** The path segments after the name of a behaviour in the catalogue: `["3"]` for `/redirect/3`. */
  readonly segments: readonly string[];
  /** How often this path and query have been requested so far, this time included. */
  readonly count: number;
  /** Fires when the client has disconnected or the site is closed. */
  readonly signal: AbortSignal;
  /** Refuses new connections and drops idle ones from now on; this answer is still sent. */
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

/** Returns an answer, or writes to `exchange.response` itself and returns nothing. */
export type TestHandler = (
  exchange: TestExchange,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is the common case
) => TestAnswer | string | undefined | void | Promise<TestAnswer | string | undefined | void>;

/** A string is an HTML page. */
export type TestRoute = string | TestAnswer | TestHandler;

/** Routes by path (with or without a query); `"*"` serves every other path. */
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
