/** Takes tasks from the queue until the engine closes; a queue that fails is asked again a moment later. */

import { setTimeout as delay } from "node:timers/promises";
import type { JobQueue, Task } from "../ports/job-queue.ts";
import type { Logger } from "../ports/logger.ts";
import { errorText } from "../shared/error-text.ts";

const againMs = 1000;

/** Resolves when `signal` has fired and the tasks under way have ended. */
export async function consumeTasks(
  queue: JobQueue,
  work: (task: Task) => Promise<void>,
  { signal, logger }: { readonly signal: AbortSignal; readonly logger: Logger },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await queue.consume(work, signal);
    } catch (error) {
      logger.error("the job queue failed", { error: errorText(error) });
      await delay(againMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
