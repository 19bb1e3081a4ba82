/** What is under way in the background, so that stopping can wait for it. */
export interface Tasks {
  /** Follows a task to its end. Never rejects. */
  readonly track: (task: Promise<unknown>) => void;
  /** Resolves when none is under way, nor any that another began. */
  drain(): Promise<void>;
}

/** @param onFailure hears of a task that was rejected */
export function createTasks(onFailure: (error: unknown) => void): Tasks {
  let running = 0;
  let drained: PromiseWithResolvers<void> | undefined;

  function end(): void {
    running--;
    if (running > 0) return;
    drained?.resolve();
    drained = undefined;
  }

  return {
    track(task) {
      running++;
      task.catch(onFailure).finally(end);
    },
    async drain() {
      while (running > 0) {
        drained ??= Promise.withResolvers();
        await drained.promise;
      }
    },
  };
}
