/** Tracks work in the background, so that stopping can wait for it. */
interface Background {
  /** Follows work to its end. Never rejects. */
  readonly track: (work: Promise<unknown>) => void;
  /** Resolves when all work has ended, including work that it began. */
  drain(): Promise<void>;
}

/** @param onFailure called with the reason when work rejects */
export function createBackground(onFailure: (error: unknown) => void): Background {
  let running = 0;
  let drained: PromiseWithResolvers<void> | undefined;

  function end(): void {
    running--;
    if (running > 0) return;
    drained?.resolve();
    drained = undefined;
  }

  return {
    track(work) {
      running++;
      work.catch(onFailure).finally(end);
    },
    async drain() {
      while (running > 0) {
        drained ??= Promise.withResolvers();
        await drained.promise;
      }
    },
  };
}
