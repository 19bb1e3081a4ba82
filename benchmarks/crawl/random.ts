/** Repeatable random numbers: the same seed produces the same site on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 12_345) >>> 0;
  }

  /** A whole number from 0 to `limit`, exclusive. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** Characters like those of generated class names and keys. */
  code(length: number): string {
    let text = "";
    while (text.length < length) text += this.below(36 ** 5).toString(36);
    return text.slice(0, length);
  }
}
