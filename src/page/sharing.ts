/** One piece of work for all who ask for it while it runs; it stops when the last of them has gone. */
export interface Sharing<Value> {
  /** `work` is started unless it runs already under this name. `signal`: the asker has gone. */
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
    // Whoever asked hears of a failure; if all have gone, nobody needs to.
    result.catch(() => {});
    const shared = { result, stop, askers: 0 };
    running.set(name, shared);
    return shared;
  }

  /** Work that all have left may end when other work has its name already. */
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
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
      return shared.result.finally(() => signal.removeEventListener("abort", leave));
    },
  };
}
