import { setTimeout as delay } from "node:timers/promises";

const againMs = 1000;

/**
 * Does what must be done in the end: what fails is tried again each second, until `signal` fires. Resolves after the
 * first try, since nobody waits for the others. Never rejects.
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
