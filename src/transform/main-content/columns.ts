/** Puts feature columns side by side. */

/** The columns of `values` followed by one column for each number of the page, the same in every row. */
export function appendPageColumns(values: Float32Array, page: Float32Array, rows: number): Float32Array {
  const joined = new Float32Array(values.length + page.length * rows);
  joined.set(values);
  page.forEach((value, column) => {
    const from = values.length + column * rows;
    joined.fill(value, from, from + rows);
  });
  return joined;
}

export function joinColumns(one: Float32Array, other: Float32Array): Float32Array {
  const joined = new Float32Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}
