/** Logarithms of counts, of which a page needs thousands: those of small ones are looked up, not computed. */

const KNOWN = Float64Array.from({ length: 2048 }, (_, count) => Math.log2(1 + count));

/** The logarithm to base 2 of one more than `count`. */
export function logCount(count: number): number {
  const whole = count | 0;
  return whole === count && whole >= 0 && whole < KNOWN.length ? KNOWN[whole]! : Math.log2(1 + count);
}
