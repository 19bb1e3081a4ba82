/** Adds to each element's count those of all elements in it, in place. */
export function addUp(counts: Int32Array, parent: Int32Array): void {
  for (let element = counts.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around >= 0) counts[around]! += counts[element]!;
  }
}
