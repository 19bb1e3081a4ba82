/**
 * Says which jobs have work. Delivers each task at least once, to one consumer at a time; order and fairness are not
 * its concern (`jobs/lanes`). Losing or doubling a task does no harm: the storage is the truth.
 */
export interface JobQueue {
  push(task: Task): Promise<void>;
  /**
   * Calls `work` for each task until `signal` fires, without waiting for the work on earlier tasks; resolves when the
   * work that has begun has settled. A task whose `work` rejects is delivered again later.
   */
  consume(work: (task: Task) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Ends all consumption. Idempotent; pushing rejects afterwards. */
  close(): Promise<void>;
}

/** A message: work on this job. */
export interface Task {
  readonly jobId: string;
  readonly team: string;
}
