import { setTimeout as delay } from "node:timers/promises";

const againMs = 1000;

/**
 * Repeats `act` every second until it succeeds or `signal` fires. Resolves after the first try, because nobody waits
 * for the others. Never rejects.
 */
export async function surely(
  act: () => Promise<unknown>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void = () => {},
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (signal.aborted) return;
    onFailure(error);
    delay(againMs, undefined, { signal, ref: false }).then(
      () => surely(act, signal, onFailure),
      () => {},
    );
  }
}
