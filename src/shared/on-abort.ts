/**
 * Listening to a signal that many may listen to, such as that of an engine for which a server has thousands of calls
 * waiting. Node goes over all listeners of a signal to add or remove one; here each signal has one listener at most.
 */

/**
 * A class, and a method that captures nothing of a call: an object of a literal, which V8 may take for long-lived, would
 * keep what a closure captures, which is the first to listen and with it a whole page (see "Time and memory" in
 * `docs/architecture.md`).
 */
class Waiting {
  readonly reactions = new Set<() => void>();

  handleEvent(): void {
    for (const react of this.reactions) if (this.reactions.delete(react)) react();
  }
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `react` once when the signal fires, in the order in which the calls came; at once if it has fired.
 *
 * @param react must not throw; a function of its own for each call
 * @returns ends the listening
 */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  if (signal.aborted) {
    react();
    return () => {};
  }
  const known = waiting.get(signal) ?? new Waiting();
  const { reactions } = known;
  waiting.set(signal, known);
  if (reactions.size === 0) signal.addEventListener("abort", known, { once: true });
  reactions.add(react);
  return () => {
    if (reactions.delete(react) && reactions.size === 0) signal.removeEventListener("abort", known);
  };
}
