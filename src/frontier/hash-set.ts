/** A set of URL keys that keeps 64 bits of each: for the many URLs that a crawl has met. */

const smallestCapacity = 64;
const highestLoad = 0.7;

/**
 * Grows by doubling; takes 12 to 23 bytes per key. With a million keys, the chance that any two are mistaken for one is
 * less than one in ten million.
 *
 * @example
 * const seen = new HashSet64();
 * seen.add("example.com/"); // true
 * seen.add("example.com/"); // false
 */
export class HashSet64 {
  /** Keys held. */
  size = 0;
  /** Two words for each slot; two zeroes mark an empty one. */
  #slots = new Uint32Array(smallestCapacity * 2);
  // Random for each set, so that no site can prepare URLs that all fall on one slot.
  readonly #seed = Math.floor(Math.random() * 2 ** 32);

  /** The two words of the key that was hashed last. */
  #first = 0;
  #second = 0;

  has(key: string): boolean {
    this.#hash(key);
    return this.#slots[find(this.#slots, this.#first, this.#second) + 1] !== 0;
  }

  /** Returns true when the key was not in the set. */
  add(key: string): boolean {
    this.#hash(key);
    const slot = find(this.#slots, this.#first, this.#second);
    if (this.#slots[slot + 1] !== 0) return false;
    this.#slots[slot] = this.#first;
    this.#slots[slot + 1] = this.#second;
    this.size++;
    if (this.size > (this.#slots.length / 2) * highestLoad) this.#grow();
    return true;
  }

  /** Computes both words in one pass, two characters at a time: every link of every page is hashed here. */
  #hash(key: string): void {
    const { length } = key;
    let first = this.#seed ^ length;
    let second = ~this.#seed ^ length;
    for (let index = 0; index < length; index += 2) {
      const two = key.charCodeAt(index) | (index + 1 < length ? key.charCodeAt(index + 1) << 16 : 0);
      first = Math.imul(first ^ two, firstMultiplier);
      first ^= first >>> 15;
      second = Math.imul(second ^ two, secondMultiplier);
      second ^= second >>> 15;
    }
    this.#first = scatter(first);
    this.#second = scatter(second) || 1;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += 2) {
      const first = old[slot]!;
      const second = old[slot + 1]!;
      if (second === 0) continue;
      const target = find(this.#slots, first, second);
      this.#slots[target] = first;
      this.#slots[target + 1] = second;
    }
  }
}

/** Index of the slot with the two words, or of the empty slot where they belong. `second` is never 0. */
function find(slots: Uint32Array, first: number, second: number): number {
  const mask = slots.length - 1;
  let slot = (first << 1) & mask;
  while (slots[slot + 1] !== 0 && (slots[slot] !== first || slots[slot + 1] !== second)) slot = (slot + 2) & mask;
  return slot;
}

const firstMultiplier = 0x85ebca6b;
const secondMultiplier = 0xc2b2ae35;

function scatter(word: number): number {
  let state = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
}
