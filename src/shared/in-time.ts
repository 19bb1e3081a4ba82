/** Waiting no longer than so many milliseconds. */

interface TimeLimit {
  /** What the rejection is then; a `TimeoutError` unless it is given. */
  readonly error?: () => Error;
  /** False: the process may end meanwhile if it has nothing else to do. */
  readonly keepsAlive?: boolean;
}

/** The promise's outcome, or a rejection if it takes longer. For parts of a host that get no signal. */
export function inTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  { error, keepsAlive = true }: TimeLimit = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(error?.() ?? new DOMException(`Not done within ${milliseconds} ms`, "TimeoutError"));
    const timer = setTimeout(expire, milliseconds);
    if (!keepsAlive) timer.unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
