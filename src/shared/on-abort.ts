/**
 * Listening to a signal that many may listen to, such as that of an engine for which a server has thousands of calls
 * waiting. Node goes over all listeners of a signal to add or remove one; here each signal has one listener at most.
 */

interface Waiting {
  readonly reactions: Set<() => void>;
  readonly all: () => void;
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
  let known = waiting.get(signal);
  if (known === undefined) {
    const reactions = new Set<() => void>();
    const all = (): void => {
      for (const one of reactions) if (reactions.delete(one)) one();
    };
    known = { reactions, all };
    waiting.set(signal, known);
  }
  const { reactions, all } = known;
  if (reactions.size === 0) signal.addEventListener("abort", all, { once: true });
  reactions.add(react);
  return () => {
    if (reactions.delete(react) && reactions.size === 0) signal.removeEventListener("abort", all);
  };
}
