/**
 * Milliseconds of processor time that this thread has taken: for bounds that tell linear from quadratic work, also while
 * other processes have the processor.
 */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
