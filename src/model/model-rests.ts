/** Remembers which models want a pause, because a provider has turned away a call that exceeded a rate limit. */
import { setTimeout as pause } from "node:timers/promises";
import type { ModelCallError } from "./language-model.ts";

interface ModelRests {
  answered(model: unknown): void;
  /**
   * Milliseconds until the model may be asked again; undefined if the call is not to be repeated. A call that is turned
   * away while others are answered is repeated: otherwise a key with a limit per minute would lose every few pages of a
   * long job.
   */
  turnedAway(model: unknown, error: ModelCallError): number | undefined;
  isResting(model: unknown): boolean;
  /** Resolves when the model may be asked; rejects with the signal's reason. */
  wait(model: unknown, signal: AbortSignal): Promise<void>;
}

/** The period for which providers count calls and tokens. */
const rateMs = 60_000;

export function createModelRests(): ModelRests {
  /** When each model gave its last answer, and until when it rests. */
  const answeredAt = new WeakMap<object, number>();
  const restsUntil = new WeakMap<object, number>();

  function restOf(model: unknown): number {
    return isKey(model) ? (restsUntil.get(model) ?? 0) - performance.now() : 0;
  }

  return {
    answered(model) {
      if (isKey(model)) answeredAt.set(model, performance.now());
    },
    turnedAway(model, { retryAfterMs }) {
      if (retryAfterMs === undefined || !isKey(model)) return undefined;
      const now = performance.now();
      const last = answeredAt.get(model);
      if (last === undefined || now - last >= rateMs) return undefined;
      restsUntil.set(model, Math.max(now + retryAfterMs, restsUntil.get(model) ?? 0));
      return retryAfterMs;
    },
    isResting: (model) => restOf(model) > 0,
    async wait(model, signal) {
      // Waits a random time longer, so that not all callers come back at the same moment.
      for (let rest = restOf(model); rest > 0; rest = restOf(model)) {
        await pause(rest * (1 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },
  };
}

/** Models may also be given by name, as a string. */
function isKey(model: unknown): model is object {
  return typeof model === "object" && model !== null;
}
