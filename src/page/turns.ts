/**
 * Lets the processor's work of pages run one at a time, each in a turn of the event loop of its own, so that a host's
 * other work gets in between: several pages resolved in one turn would hold the loop for their sum.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let scheduled = false;

  function run(): void {
    waiting.shift()?.();
    scheduled = waiting.length > 0;
    if (scheduled) setImmediate(run);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (scheduled) return;
      scheduled = true;
      setImmediate(run);
    });
}
