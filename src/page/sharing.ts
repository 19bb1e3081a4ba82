/** Shares one piece of work among all who ask for it while it runs; it stops when the last of them has gone. */
import { onAbort } from "../shared/on-abort.ts";

interface Sharing<Value> {
  /** Starts `work`, unless work under this name is already running. `signal` fires when the asker has gone. */
  share(name: string, work: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

interface Shared<Value> {
  readonly result: Promise<Value>;
  readonly stop: AbortController;
  askers: number;
}

export function createSharing<Value>(): Sharing<Value> {
  const running = new Map<string, Shared<Value>>();

  function begin(name: string, work: (signal: AbortSignal) => Promise<Value>): Shared<Value> {
    const stop = new AbortController();
    const result = work(stop.signal).finally(() => forget(name, shared));
    // Everyone who asked learns of a failure; if all have gone, it needs no handler.
    result.catch(() => {});
    const shared = { result, stop, askers: 0 };
    running.set(name, shared);
    return shared;
  }

  /** Abandoned work may end when other work already has its name. */
  function forget(name: string, shared: Shared<Value>): void {
    if (running.get(name) === shared) running.delete(name);
  }

  return {
    share(name, work, signal) {
      const shared = running.get(name) ?? begin(name, work);
      shared.askers++;
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
