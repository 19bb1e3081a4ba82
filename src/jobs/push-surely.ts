import { setTimeout as delay } from "node:timers/promises";
import { errorText } from "../contract/error-text.ts";
import type { JobQueue, Task } from "../ports/job-queue.ts";
import type { Logger } from "../ports/logger.ts";

const againMs = 1000;

/** Pushes a task for what is stored already, until the queue takes it. Never rejects. */
export type PushSurely = (task: Task) => Promise<void>;

/** @param signal fires when the engine closes: from then on the job waits for `resume` */
export function createPushSurely(queue: JobQueue, signal: AbortSignal, logger: Logger): PushSurely {
  return async function push(task) {
    try {
      await queue.push(task);
    } catch (error) {
      if (signal.aborted) return;
      logger.error("the job queue failed", { jobId: task.jobId, error: errorText(error) });
      // Nobody waits for the next try.
      delay(againMs, undefined, { signal, ref: false }).then(
        () => push(task),
        () => {},
      );
    }
  };
}
