/**
 * The channel between the two halves of pdf.js, both in this thread.
 *
 * It stands in for the one that pdf.js would make itself, for two reasons: it gives the event loop a turn whenever the
 * work has gone on for a while, and an answer that cannot be copied (nested too deep, in a file made for it) becomes an
 * error of the call instead of an unhandled rejection that ends the process.
 */
import { setImmediate } from "node:timers";
import type { Transferable } from "node:worker_threads";

/** The event loop waits about this many milliseconds at most, as long as messages are exchanged. */
const longestStretch = 8;

type Listener = (event: { data: unknown }) => void;

/** The part of pdf.js's messages that is used. */
interface Message {
  readonly callback?: number;
  readonly stream?: number;
  readonly callbackId?: number;
  readonly action?: string;
  readonly streamId?: number;
}

const callbackError = 2;
const streamPull = 6;

export class LocalPort {
  readonly #lean: (message: Message) => Message | undefined;
  readonly #listeners = new Map<Listener, () => void>();
  /** The newest stream of each kind of request. */
  readonly #streams = new Map<string, number>();
  readonly #stalled = new Set<number | undefined>();
  #waiting: unknown[] = [];
  #isPumping = false;
  #stretchStart = performance.now();

  /** @param lean returns what is to be sent of a message, if anything */
  constructor(lean: (message: Message) => Message | undefined) {
    this.#lean = lean;
  }

  postMessage(given: Message, transfer?: Transferable[]): void {
    const message = this.#lean(given);
    if (message === undefined) return;
    if (message.action !== undefined && message.streamId !== undefined) {
      this.#streams.set(message.action, message.streamId);
    }
    if (message.stream === streamPull && this.#stalled.has(message.streamId)) return;
    this.#waiting.push(this.#copied(message, transfer ?? []));
    this.#schedule();
  }

  addEventListener(_name: string, listener: Listener, { signal }: { signal?: AbortSignal } = {}): void {
    const remove = () => this.removeEventListener("message", listener);
    signal?.addEventListener("abort", remove, { once: true });
    this.#listeners.set(listener, () => signal?.removeEventListener("abort", remove));
  }

  removeEventListener(_name: string, listener: Listener): void {
    this.#listeners.get(listener)?.();
    this.#listeners.delete(listener);
  }

  /** Stops reading the newest stream of a kind, so that the other half stops filling it. */
  stall(action: string): void {
    this.#stalled.add(this.#streams.get(action));
  }

  /** Delivers no more messages: both halves wait for ever, and can be garbage-collected. */
  close(): void {
    this.#waiting = [];
    for (const release of this.#listeners.values()) release();
    this.#listeners.clear();
  }

  #copied(message: Message, transfer: Transferable[]): unknown {
    try {
      return structuredClone(message, { transfer });
    } catch (error) {
      if (message.callback === undefined) throw error;
      const reason = Object.assign(new Error("The answer cannot be copied."), { name: "UnknownErrorException" });
      return { ...message, data: undefined, callback: callbackError, reason };
    }
  }

  #schedule(): void {
    if (this.#isPumping || this.#waiting.length === 0) return;
    this.#isPumping = true;
    if (performance.now() - this.#stretchStart < longestStretch) void Promise.resolve().then(() => this.#deliver());
    else {
      setImmediate(() => {
        this.#stretchStart = performance.now();
        this.#deliver();
      });
    }
  }

  #deliver(): void {
    this.#isPumping = false;
    const data = this.#waiting.shift();
    for (const listener of [...this.#listeners.keys()]) {
      try {
        listener({ data });
      } catch {
        // A message without a receiver.
      }
    }
    this.#schedule();
  }
}
