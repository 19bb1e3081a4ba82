/** Adds the counts of all elements in an element to its own, in place. */
export function addUp(counts: Int32Array | Float64Array, parent: Int32Array): void {
  for (let element = counts.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around >= 0) counts[around]! += counts[element]!;
  }
}
