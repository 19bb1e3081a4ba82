/**
 * Those who take turns, one after the other. A list with a mark in it, because turns are taken with every page: a map or
 * set whose entries move leaves tables behind, and V8 all that came later with them (see "Time and memory" in
 * `docs/architecture.md`).
 */
export class Ring<Item> {
  readonly #items: Item[] = [];
  readonly #known = new Set<Item>();
  /** Whose turn it is. */
  #at = 0;

  get size(): number {
    return this.#items.length;
  }

  has(item: Item): boolean {
    return this.#known.has(item);
  }

  /** Adds one behind all others. */
  add(item: Item): void {
    if (this.#known.has(item)) return;
    this.#known.add(item);
    this.#items.splice(this.#at++, 0, item);
  }

  /** Returns false if it is not among them. */
  delete(item: Item): boolean {
    if (!this.#known.delete(item)) return false;
    const index = this.#items.indexOf(item);
    this.#items.splice(index, 1);
    if (index < this.#at) this.#at--;
    return true;
  }

  /** The one whose turn it is, who is then behind all others; undefined if there are none. */
  next(): Item | undefined {
    if (this.#at >= this.#items.length) this.#at = 0;
    return this.#items[this.#at++];
  }
}
