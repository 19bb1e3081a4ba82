/**
 * Says which jobs have work. It delivers each task at least once, to one consumer at a time; order and fairness are not
 * its concern (see `jobs/lanes`). Losing or doubling a task does no harm, because the storage is the truth.
 */
export interface JobQueue {
  push(task: Task): Promise<void>;
  /**
   * Calls `work` for each task until `signal` fires, without waiting for the work on earlier tasks. Resolves when all
   * work that was begun has settled. A task whose `work` rejects is delivered again later.
   */
  consume(work: (task: Task) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Ends all consumption; afterwards `push` rejects. Idempotent. */
  close(): Promise<void>;
}

/** A message: work on this job. */
export interface Task {
  readonly jobId: string;
  readonly team: string;
}
