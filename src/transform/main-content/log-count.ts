/** Logarithms of counts. A page needs thousands, so those of small counts are looked up instead of computed. */

const KNOWN = Float64Array.from({ length: 2048 }, (_, count) => Math.log2(1 + count));

/** The binary logarithm of `count + 1`. */
export function logCount(count: number): number {
  const whole = count | 0;
  return whole === count && whole >= 0 && whole < KNOWN.length ? KNOWN[whole]! : Math.log2(1 + count);
}
