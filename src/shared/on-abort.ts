/**
 * Listening to a signal that many may listen to, such as that of an engine for which a server has thousands of calls
 * waiting. Node goes over all listeners of a signal to add or remove one; here each signal has one listener at most.
 *
 * Nothing of those who have left is kept: V8 may take what belongs to a long-lived signal, or what it finds there, for
 * long-lived, and with it the pages of all who listened (see "Time and memory" in `docs/architecture.md`). So these are
 * instances of classes, which capture nothing, in a list of links that are cut, rather than closures in a set.
 */

class Listening {
  before: Listening | undefined;
  after: Listening | undefined;
  readonly react: () => void;

  constructor(react: () => void) {
    this.react = react;
  }
}

/** Those who listen to one signal, in the order in which they came. */
class Listeners {
  #first: Listening | undefined;
  #last: Listening | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(one: Listening): void {
    one.before = this.#last;
    if (this.#last === undefined) this.#first = one;
    else this.#last.after = one;
    this.#last = one;
  }

  /** Returns false if it has left before. */
  remove(one: Listening): boolean {
    const { before, after } = one;
    if (before === undefined && this.#first !== one) return false;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    one.before = undefined;
    one.after = undefined;
    return true;
  }

  /** Called by the signal when it fires. */
  handleEvent(): void {
    for (let one = this.#first; one !== undefined; one = this.#first) {
      this.remove(one);
      one.react();
    }
  }
}

const listeners = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `react` once when the signal fires, in the order in which the calls came; at once if it has fired.
 *
 * @param react must not throw
 * @returns ends the listening
 */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  if (signal.aborted) {
    react();
    return () => {};
  }
  const known = listeners.get(signal) ?? new Listeners();
  if (known.isEmpty) {
    listeners.set(signal, known);
    signal.addEventListener("abort", known, { once: true });
  }
  const one = new Listening(react);
  known.add(one);
  return () => {
    if (known.remove(one) && known.isEmpty) signal.removeEventListener("abort", known);
  };
}
