/** One request and its answer on the wire: the head as a promise, the body as a stream with back-pressure. */
import { setImmediate } from "node:timers";
import { ByteList } from "./byte-list.ts";
import type { AnswerHandler, Connections, WireRequest } from "./connections.ts";
import type { Route } from "./connectors.ts";
import { invalidAnswer, networkError } from "./network-errors.ts";

export interface Answer {
  readonly statusCode: number;
  readonly statusText: string;
  /** Names in lower case, values as Latin-1; repeated headers as a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AnswerBody;
  /** The announced `content-length` of the body; 0 if there is none. */
  readonly announcedBytes: number;
}

/** The bytes as they were sent, before content decoding. It must be read to the end, or cancelled. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  /** The bytes that have arrived since the last call; undefined after the end. Rejects if the answer breaks off. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection, unless the body has been received to its end. */
  cancel(): void;
}

/** The body as a stream; it is cancelled if the iteration stops early. */
export async function* chunksOf(
  body: Pick<AnswerBody, "read" | "cancel">,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) yield bytes;
  } finally {
    body.cancel();
  }
}

/** Bytes that are held for a slow reader before the socket is paused. */
const highWaterMark = 256 * 1024;

/**
 * Sends the request and resolves with the head of the answer. Rejects with an error of this package or with the
 * signal's reason, which also breaks off the body.
 *
 * A server may close an idle connection at the moment in which the next request is sent on it; the server has not seen
 * such a request, so it is sent once more.
 */
export function exchange(
  connections: Connections,
  url: URL,
  route: Route,
  request: WireRequest,
  signal: AbortSignal | undefined,
  repeatable: boolean,
): Promise<Answer> {
  const first = new Exchange(url.host, route, signal);
  return first.start(connections, url.origin, request).catch((error: unknown) => {
    if (!repeatable || !first.foundClosedConnection) throw error;
    return new Exchange(url.host, route, signal).start(connections, url.origin, request);
  });
}

type Controller = Parameters<NonNullable<AnswerHandler["onRequestStart"]>>[0];

/** The handler that undici calls, in the order of the bytes on the wire. */
class Exchange implements AnswerHandler, AnswerBody {
  readonly #host: string;
  readonly #route: Route;
  readonly #signal: AbortSignal | undefined;
  readonly #received = new ByteList();
  #state: "open" | "ended" | "failed" = "open";
  #failure: unknown;
  #answerBegun = false;
  #expectsBody = true;
  #controller: Controller | undefined;
  #release: (() => void) | undefined;
  #settleHead: { resolve(answer: Answer): void; reject(reason: unknown): void } | undefined;
  #wakeReader: (() => void) | undefined;
  foundClosedConnection = false;

  constructor(host: string, route: Route, signal: AbortSignal | undefined) {
    this.#host = host;
    this.#route = route;
    this.#signal = signal;
  }

  start(connections: Connections, origin: string, request: WireRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settleHead = { resolve, reject };
      this.#expectsBody = request.method !== "HEAD";
      this.#signal?.throwIfAborted();
      this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
      try {
        this.#release = connections.send(origin, this.#route, request, this);
        if (this.#state !== "open") this.#release();
      } catch (error) {
        this.#finish("failed", error);
      }
    });
  }

  async read(): Promise<Uint8Array | undefined> {
    while (this.#received.byteLength === 0 && this.#state === "open") {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    if (this.#state === "failed") throw this.#failure;
    if (this.#received.byteLength === 0) return undefined;
    const bytes = this.#received.take();
    this.#controller?.resume();
    return bytes;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return chunksOf(this);
  }

  cancel(): void {
    if (this.#state === "open") this.#breakOff(new Error("The body is not wanted"));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#state !== "open") controller.abort(new Error("The request is not wanted any more"));
  }

  onResponseStarted(): void {
    this.#answerBegun = true;
  }

  onResponseStart(_: Controller, statusCode: number, headers: Answer["headers"], statusText = ""): void {
    if (statusCode < 200) return;
    const announcedBytes = this.#expectsBody && statusCode !== 304 ? Number(headers["content-length"] ?? 0) : 0;
    this.#settleHead?.resolve({ statusCode, statusText, headers, announcedBytes, body: this });
    this.#settleHead = undefined;
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (this.#state !== "open") return;
    this.#received.add(chunk);
    if (this.#received.byteLength >= highWaterMark) controller.pause();
    this.#wakeReader?.();
  }

  onResponseEnd(): void {
    // undici releases the connection in an immediate that it schedules after this call. By finishing after that, the
    // next request, such as that of a redirect, can use this connection instead of opening another.
    void Promise.resolve().then(() => setImmediate(() => this.#finish("ended")));
  }

  onResponseError(_: Controller, error: Error & { socket?: { bytesRead?: number } }): void {
    if (this.#state !== "open") return;
    // The connection had served an earlier request, and was closed without a byte for this one.
    this.foundClosedConnection = !this.#answerBegun && (error.socket?.bytesRead ?? 0) > 0;
    // For a head with a repeated length, undici's error reads as if the body had already been read.
    if (this.#settleHead && "code" in error && error.code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") {
      return this.#finish("failed", invalidAnswer(this.#host, error));
    }
    const { skipTlsVerification } = this.#route;
    this.#finish("failed", networkError(error, { host: this.#host, skipTlsVerification }));
  }

  readonly #onAbort = (): void => this.#breakOff(this.#signal?.reason);

  #breakOff(reason: unknown): void {
    if (this.#state !== "open") return;
    this.#finish("failed", reason);
    this.#received.clear();
    this.#controller?.abort(new Error("The answer is not wanted any more"));
  }

  #finish(state: "ended" | "failed", failure?: unknown): void {
    if (this.#state !== "open") return;
    this.#state = state;
    this.#failure = failure;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#release?.();
    if (state === "failed") this.#settleHead?.reject(failure);
    this.#wakeReader?.();
  }
}
