/**
 * Arrays of numbers for the work on one page, in memory that is reused for the next page. Arrays with memory of their
 * own cost twenty times as much, and main content needs some seventy of them per page.
 */

/** Initial capacity of a list. */
const FIRST_LENGTH = 256;
const FIRST_BYTES = 64 * 1024;
/** Most memory that is kept from page to page. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

export class PageArrays {
  #memory = new ArrayBuffer(0);
  /** Bytes taken of the present memory, and of earlier memory that was too small. */
  #taken = 0;
  #takenBefore = 0;

  /** Filled with zeros, as all arrays here. */
  floats(length: number): Float32Array {
    const at = this.#take(length * 4);
    return new Float32Array(this.#memory, at, length).fill(0);
  }

  doubles(length: number): Float64Array {
    const at = this.#take(length * 8);
    return new Float64Array(this.#memory, at, length).fill(0);
  }

  integers(length: number): Int32Array {
    const at = this.#take(length * 4);
    return new Int32Array(this.#memory, at, length).fill(0);
  }

  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return new Uint8Array(this.#memory, at, length).fill(0);
  }

  /** A list that grows. A JavaScript array would leave behind garbage whenever it outgrew its memory. */
  integerList(): NumberList<Int32Array> {
    return new NumberList(this.integers(FIRST_LENGTH), (length) => this.integers(length));
  }

  doubleList(): NumberList<Float64Array> {
    return new NumberList(this.doubles(FIRST_LENGTH), (length) => this.doubles(length));
  }

  /** Makes all memory available again: arrays taken before must no longer be used. */
  reuse(): void {
    const taken = this.#takenBefore + this.#taken;
    if (this.#takenBefore > 0 || taken > MOST_KEPT_BYTES) {
      this.#memory = new ArrayBuffer(Math.min(taken, MOST_KEPT_BYTES));
    }
    this.#taken = 0;
    this.#takenBefore = 0;
  }

  #take(bytes: number): number {
    const size = Math.ceil(bytes / 8) * 8;
    if (this.#taken + size > this.#memory.byteLength) {
      this.#takenBefore += this.#taken;
      this.#memory = new ArrayBuffer(Math.max(size, this.#memory.byteLength * 2, FIRST_BYTES));
      this.#taken = 0;
    }
    const at = this.#taken;
    this.#taken += size;
    return at;
  }
}

export class NumberList<Numbers extends Int32Array | Float64Array> {
  length = 0;
  /** The numbers of the list, followed by room for more. */
  values: Numbers;
  readonly #allocate: (length: number) => Numbers;

  constructor(values: Numbers, allocate: (length: number) => Numbers) {
    this.values = values;
    this.#allocate = allocate;
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow();
    this.values[this.length++] = value;
  }

  /** The numbers of the list only. */
  toArray(): Numbers {
    return this.values.subarray(0, this.length) as Numbers;
  }

  #grow(): void {
    const values = this.#allocate(this.length * 2);
    values.set(this.values);
    this.values = values;
  }
}
