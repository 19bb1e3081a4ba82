/** Finds the words of a page that are words of the expected text, by a chain of common triples and the gaps between. */

const MAXIMUM_REPEATS = 24;
const MAXIMUM_GAP = 3_000_000;

/**
 * For each word of `page`: the index of the word of `expected` that it corresponds to, or -1. The indices increase.
 * Of several copies of a passage the first is taken, because the search starts at the end.
 */
export function alignWords(page: Int32Array, expected: Int32Array): Int32Array {
  const backwards = alignLast(page.toReversed(), expected.toReversed());
  return backwards.reverse().map((to) => (to < 0 ? to : expected.length - 1 - to));
}

function alignLast(page: Int32Array, expected: Int32Array): Int32Array {
  const match = new Int32Array(page.length).fill(-1);
  const chain = commonChain(page, expected);
  let pageFrom = 0;
  let expectedFrom = 0;
  for (let link = 0; link <= chain.length; link++) {
    const [at, to] = chain[link] ?? [page.length, expected.length];
    if (at < pageFrom || to < expectedFrom) {
      // A triple that overlaps the previous one either continues it or contradicts it.
      for (let k = 0; k < 3; k++) {
        if (at + k >= pageFrom && to + k >= expectedFrom && to + k - expectedFrom === at + k - pageFrom) {
          match[at + k] = to + k;
          pageFrom = at + k + 1;
          expectedFrom = to + k + 1;
        }
      }
      continue;
    }
    fillGap(page, expected, pageFrom, at, expectedFrom, to, match);
    if (link < chain.length) {
      for (let k = 0; k < 3; k++) match[at + k] = to + k;
      pageFrom = at + 3;
      expectedFrom = to + 3;
    }
  }
  return match;
}

/** The longest chain of common triples that advances in both texts. */
function commonChain(page: Int32Array, expected: Int32Array): [number, number][] {
  const places = new Map<string, number[]>();
  for (let j = 0; j + 2 < expected.length; j++) {
    const key = `${expected[j]} ${expected[j + 1]} ${expected[j + 2]}`;
    const list = places.get(key);
    if (list === undefined) places.set(key, [j]);
    else if (list.length < MAXIMUM_REPEATS) list.push(j);
  }
  const at: number[] = [];
  const to: number[] = [];
  for (let i = 0; i + 2 < page.length; i++) {
    const list = places.get(`${page[i]} ${page[i + 1]} ${page[i + 2]}`);
    if (list === undefined) continue;
    for (let k = list.length - 1; k >= 0; k--) {
      at.push(i);
      to.push(list[k]!);
    }
  }
  const tails: number[] = [];
  const previous = new Int32Array(at.length).fill(-1);
  for (let c = 0; c < at.length; c++) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (to[tails[middle]!]! < to[c]!) low = middle + 1;
      else high = middle;
    }
    previous[c] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = c;
  }
  const chain: [number, number][] = [];
  for (let c = tails.length > 0 ? tails[tails.length - 1]! : -1; c >= 0; c = previous[c]!) chain.push([at[c]!, to[c]!]);
  return chain.reverse();
}

/** The longest common subsequence of a gap, by the usual table, if the gap is small enough. */
function fillGap(
  page: Int32Array,
  expected: Int32Array,
  pageFrom: number,
  pageTo: number,
  expectedFrom: number,
  expectedTo: number,
  match: Int32Array,
): void {
  const rows = pageTo - pageFrom;
  const columns = expectedTo - expectedFrom;
  if (rows <= 0 || columns <= 0 || rows * columns > MAXIMUM_GAP) return;
  const width = columns + 1;
  const table = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      table[i * width + j] =
        page[pageFrom + i] === expected[expectedFrom + j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (page[pageFrom + i] === expected[expectedFrom + j]) {
      match[pageFrom + i++] = expectedFrom + j++;
    } else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
}
