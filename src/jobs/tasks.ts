/** What is under way in the background, so that stopping can wait for it. */
export interface Tasks {
  /** Follows a task to its end. Never rejects. */
  readonly track: (task: Promise<unknown>) => void;
  /** Resolves when none is under way, nor any that another began. */
  drain(): Promise<void>;
}

/** @param onFailure hears of a task that was rejected */
export function createTasks(onFailure: (error: unknown) => void): Tasks {
  const running = new Set<Promise<void>>();
  return {
    track(task) {
      const tracked = task.then(() => {}, onFailure).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
