/** Shares one piece of work among all who ask for it while it runs; it stops when the last of them has gone. */
import type { FetchRequest } from "../ports/fetcher.ts";
import { onAbort } from "../shared/on-abort.ts";

/** Wraps waiting, so that its time does not count. */
type Untimed = NonNullable<FetchRequest["untimed"]>;

interface Asker {
  /** Fires when the asker has gone. */
  readonly signal: AbortSignal;
  /** All who share some work have one, or none has. */
  readonly untimed?: Untimed;
}

/** @param asker whoever asks, or all of them together */
type Work<Value> = (asker: Asker) => Promise<Value>;

interface Sharing<Value> {
  /** Starts `work`, unless work under this name is already running. */
  share(name: string, work: Work<Value>, asker: Asker): Promise<Value>;
}

interface Shared<Value> {
  readonly result: Promise<Value>;
  readonly stop: AbortController;
  readonly waiting: SharedWaiting;
  askers: number;
}

export function createSharing<Value>(): Sharing<Value> {
  const running = new Map<string, Shared<Value>>();

  function begin(name: string, work: Work<Value>, isTimed: boolean): Shared<Value> {
    const stop = new AbortController();
    const waiting = new SharedWaiting();
    const all = isTimed ? {} : { untimed: waiting.untimed };
    const result = work({ signal: stop.signal, ...all }).finally(() => forget(name, shared));
    // Everyone who asked learns of a failure; if all have gone, it needs no handler.
    result.catch(() => {});
    const shared = { result, stop, waiting, askers: 0 };
    running.set(name, shared);
    return shared;
  }

  /** Abandoned work may end when other work already has its name. */
  function forget(name: string, shared: Shared<Value>): void {
    if (running.get(name) === shared) running.delete(name);
  }

  return {
    share(name, work, { signal, untimed }) {
      const shared = running.get(name) ?? begin(name, work, untimed === undefined);
      shared.askers++;
      if (untimed) shared.waiting.join(untimed);
      const leave = () => {
        shared.askers--;
        if (shared.askers > 0) return;
        forget(name, shared);
        shared.stop.abort(signal.reason);
      };
      return shared.result.finally(onAbort(signal, leave));
    },
  };
}

/** Waiting whose time counts for none of those who have asked, and none who join them meanwhile. */
class SharedWaiting {
  readonly #askers: Untimed[] = [];
  #waiting: Promise<unknown> | undefined;

  join(untimed: Untimed): void {
    this.#askers.push(untimed);
    if (this.#waiting) pause(untimed, this.#waiting);
  }

  readonly untimed: Untimed = async (waiting) => {
    this.#waiting = waiting;
    for (const untimed of this.#askers) pause(untimed, waiting);
    try {
      return await waiting;
    } finally {
      this.#waiting = undefined;
    }
  };
}

function pause(untimed: Untimed, waiting: Promise<unknown>): void {
  untimed(waiting).catch(() => {});
}
