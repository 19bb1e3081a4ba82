/** What is done again, because the database demands it or had no connection left. */

import { setTimeout as delay } from "node:timers/promises";

const mostTries = 5;
const serializationFailure = "40001";
const deadlockDetected = "40P01";
const lockNotAvailable = "55P03";
const passing: ReadonlySet<unknown> = new Set([serializationFailure, deadlockDetected, lockNotAvailable]);

const tooManyConnections = "53300";
/** As long as the pool waits for a connection that is not answered. */
const patienceMs = 30_000;
const askAgainMs = 100;

/** Runs a transaction; again from the start if the database demands it (deadlocks, lock timeouts). */
export async function repeatedly<T>(transaction: () => Promise<T>, pauseMs = 0): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === mostTries || !passing.has(codeOf(error))) throw error;
      if (pauseMs > 0) await delay(pauseMs);
    }
  }
}

/**
 * Does what takes a connection. A role or server that may have no more of them refuses before anything has happened, and
 * those there are, many of which are our own, are free again in a moment.
 */
export async function onceConnected<T>(act: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (codeOf(error) !== tooManyConnections || performance.now() > until) throw error;
      await delay(askAgainMs);
    }
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
