import { withDeadline } from "./fetch/deadline.ts";
import type { Logger } from "./ports/logger.ts";
import { orAborted } from "./shared/or-aborted.ts";

/** No part may hold up the closing of an engine longer than this. */
const longestCloseMs = 10_000;

/**
 * Takes the steps one after the other, whatever became of those before: parts that a host brought may hang or fail.
 *
 * @throws the error of the first step that failed, after all steps have been taken
 */
export async function closeParts(steps: readonly (() => Promise<void> | undefined)[], logger: Logger): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    const deadline = withDeadline(undefined, longestCloseMs);
    try {
      await orAborted((async () => step())(), deadline.signal);
    } catch (error) {
      if (deadline.signal.aborted) logger.error("a part of the engine did not end in time");
      else failures.push(error);
    } finally {
      deadline.dispose();
    }
  }
  if (failures.length > 0) throw failures[0];
}
