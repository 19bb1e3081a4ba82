/** A binary heap whose items know their position, so that any of them can be removed in O(log n). */

export interface HeapItem {
  /** Maintained by the heap; -1 outside of a heap. */
  heapIndex: number;
}

export class Heap<T extends HeapItem> {
  #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** All items, in no particular order. */
  values(): readonly T[] {
    return this.#items;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Removes all items, and returns them in no particular order; one by one, a hundred thousand take long. */
  takeAll(): readonly T[] {
    const items = this.#items;
    this.#items = [];
    for (const item of items) item.heapIndex = -1;
    return items;
  }

  remove(item: T): void {
    const index = item.heapIndex;
    if (this.#items[index] !== item) return;
    const last = this.#items.pop() as T;
    item.heapIndex = -1;
    if (last === item) return;
    this.#sink(last, index);
    this.#rise(last, last.heapIndex);
  }

  #rise(item: T, from: number): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex] as T;
      if (!this.#before(item, parent)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
  }

  #sink(item: T, from: number): void {
    let index = from;
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = this.#items[childIndex];
      if (child === undefined) break;
      const right = this.#items[childIndex + 1];
      if (right !== undefined && this.#before(right, child)) {
        child = right;
        childIndex += 1;
      }
      if (!this.#before(child, item)) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(item, index);
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}
