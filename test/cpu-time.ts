/**
 * Milliseconds of processor time that this thread has taken: for bounds that tell linear from quadratic work, also while
 * other processes have the processor.
 */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The processor time, in milliseconds, of the longest turn of the event loop during the work, and of all together. */
export async function turnTimes(work: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  let longest = 0;
  let total = 0;
  let began = cpuTime();
  function end(): void {
    const time = cpuTime() - began;
    total += time;
    longest = Math.max(longest, time);
    began = cpuTime();
  }
  const count = (): void => {
    end();
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  end();
  return { longest, total };
}
