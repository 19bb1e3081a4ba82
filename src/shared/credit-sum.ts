/** A sum of prices without what binary fractions leave behind: three times 0.1 is 0.3, not 0.30000000000000004. */
export function creditSum(credits: number): number {
  return Number(credits.toPrecision(12));
}
