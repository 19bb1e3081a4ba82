/** Records the requests to a test site. */
import type { IncomingMessage } from "node:http";

/** A request that a test site received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  /** Milliseconds on the monotonic clock (`performance.now()`). */
  readonly at: number;
}

export class TestSiteTraffic {
  readonly requests = new Map<string, number>();
  readonly received: ReceivedRequest[] = [];
  readonly #open = new Map<string, number>();
  readonly #peaks = new Map<string, number>();

  /** Records a request; returns how often its target has been requested so far. */
  begin(request: IncomingMessage, target: string, path: string): number {
    const count = (this.requests.get(target) ?? 0) + 1;
    this.requests.set(target, count);
    this.received.push({ method: request.method ?? "GET", target, headers: request.headers, at: performance.now() });
    for (const key of ["*", path]) {
      const open = (this.#open.get(key) ?? 0) + 1;
      this.#open.set(key, open);
      this.#peaks.set(key, Math.max(open, this.#peaks.get(key) ?? 0));
    }
    return count;
  }

  /** The answer has been sent, or the client has disconnected. */
  end(path: string): void {
    for (const key of ["*", path]) this.#open.set(key, (this.#open.get(key) ?? 1) - 1);
  }

  /** Most requests that were open at once, on one path or on the whole site. */
  peak(path = "*"): number {
    return this.#peaks.get(path) ?? 0;
  }

  clear(): void {
    this.requests.clear();
    this.received.length = 0;
    this.#peaks.clear();
  }
}
