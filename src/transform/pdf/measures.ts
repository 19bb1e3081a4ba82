/** Measures of many parts together: the extent that all share, and the value below which a share of them lies. */

export interface Extent {
  readonly left: number;
  readonly right: number;
}

/** From the leftmost edge to the rightmost; without parts, from infinity to minus infinity. */
export function extentOf(parts: readonly Extent[]): Extent {
  let [left, right] = [Infinity, -Infinity];
  for (const part of parts) {
    left = Math.min(left, part.left);
    right = Math.max(right, part.right);
  }
  return { left, right };
}

/** The value below which this share of the values lies: 0.5 for the median; undefined if there are none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)];
}
