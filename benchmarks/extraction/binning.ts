/** Divides columns of numbers into a few bins each, so that training can count instead of sorting. */

export interface Rows {
  readonly count: number;
  readonly features: number;
  /** Bin of feature f of row r at `f * count + r`. */
  readonly bins: Uint8Array;
  /** For each feature: the upper borders of its bins. */
  readonly borders: readonly Float32Array[];
}

/** The most bins of a column. */
export const BINS = 64;

/** Divides each column into bins with about the same number of rows. */
export function binColumns(columns: readonly Float32Array[]): Rows {
  const count = columns[0]!.length;
  const bins = new Uint8Array(count * columns.length);
  const borders: Float32Array[] = [];
  columns.forEach((column, feature) => {
    const step = Math.max(1, Math.floor(count / 40_000));
    const sample = new Float32Array(Math.ceil(count / step));
    for (let row = 0, k = 0; row < count; row += step) sample[k++] = column[row]!;
    sample.sort();
    const cuts: number[] = [];
    for (let bin = 1; bin < BINS; bin++) {
      const at = Math.floor((sample.length * bin) / BINS);
      const low = sample[Math.max(0, at - 1)]!;
      const high = sample[at]!;
      const cut = high > low ? (low + high) / 2 : high;
      if (cuts.length === 0 || cut > cuts[cuts.length - 1]!) cuts.push(cut);
    }
    // Bins of equally many rows do not separate values that few rows have, so some borders between distinct values are
    // added.
    if (cuts.length < BINS / 2) {
      const distinct = Float32Array.from(new Set(sample)).sort();
      const stride = Math.max(1, Math.ceil(distinct.length / (BINS / 2 - 1)));
      for (let k = stride; k < distinct.length; k += stride) cuts.push((distinct[k - 1]! + distinct[k]!) / 2);
    }
    const sorted = Float32Array.from(new Set(cuts))
      .sort()
      .slice(0, BINS - 1);
    borders.push(sorted);
    for (let row = 0; row < count; row++) bins[feature * count + row] = binOf(sorted, column[row]!);
  });
  return { count, features: columns.length, bins, borders };
}

function binOf(borders: Float32Array, value: number): number {
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > borders[middle]!) low = middle + 1;
    else high = middle;
  }
  return low;
}
