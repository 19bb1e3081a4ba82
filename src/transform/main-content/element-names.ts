/** Reads an element's class, id and roles as words: which meanings they have and how a trained lexicon rates them. */
import type { Element } from "domhandler";
import { meaningBits } from "./name-words.ts";
import { HASH_SEED, mixHash } from "./text-statistics.ts";

/** Rates the hash of a word: above zero where it is found around main content, below where around the rest. */
export type Rate = (hash: number) => number;

/** What one attribute, or a tag name, says. */
interface Reading {
  readonly meanings: number;
  readonly rating: number;
  readonly first: number;
  readonly hashes: readonly number[];
}

/** Attributes whose words say what an element is for, each with a seed so that equal words in different places differ. */
const SEEDS: Readonly<Record<string, number>> = {
  class: 1,
  id: 2,
  role: 3,
  itemprop: 4,
  "data-testid": 5,
  "data-component": 5,
  "aria-label": 6,
  itemtype: 7,
};
const CLASS_SEED = 1;
const TAG_SEED = 0;
const MAXIMUM_NAME_LENGTH = 300;
const MAXIMUM_HASHES = 40;
const MAXIMUM_RATING = 4;

/** Reads elements one after the other and remembers the names it has seen; make one for each page. */
export class NameReader {
  /** Of the element read last: the meanings of its names, as bits. */
  meanings = 0;
  /** Of the element read last: the sum of the lexicon's ratings, bounded. */
  rating = 0;
  /** Of the element read last: the hash of the first word of its class, or 0. */
  shape = 0;
  readonly #rate: Rate;
  readonly #seen: Map<string, Reading>[] = Array.from({ length: 8 }, () => new Map());

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  read(element: Element): void {
    const tag = this.#reading(TAG_SEED, element.name);
    this.meanings = 0;
    this.shape = 0;
    let rating = tag.rating;
    const attributes = element.attribs;
    for (const name in attributes) {
      const seed = SEEDS[name];
      if (seed === undefined) continue;
      const reading = this.#reading(seed, attributes[name]!);
      this.meanings |= reading.meanings;
      rating += reading.rating;
      if (seed === CLASS_SEED) this.shape = reading.first;
    }
    this.rating = Math.max(-MAXIMUM_RATING, Math.min(MAXIMUM_RATING, rating));
  }

  /** The hashes of all words of an element's names, as they are rated. */
  hashesOf(element: Element): number[] {
    const hashes = [...this.#reading(TAG_SEED, element.name).hashes];
    for (const name in element.attribs) {
      const seed = SEEDS[name];
      if (seed !== undefined) hashes.push(...this.#reading(seed, element.attribs[name]!).hashes);
    }
    return hashes;
  }

  /** Calls back with the hash of every word seen so far, some more than once. */
  forEachHash(use: (hash: number) => void): void {
    for (const readings of this.#seen) for (const reading of readings.values()) reading.hashes.forEach(use);
  }

  #reading(seed: number, text: string): Reading {
    const seen = this.#seen[seed]!;
    let reading = seen.get(text);
    if (reading === undefined) {
      reading = readWords(text, seed, this.#rate);
      seen.set(text, reading);
    }
    return reading;
  }
}

/** Takes names apart at spaces, dashes, digits and capitals; a name of several parts also counts as a whole. */
function readWords(text: string, seed: number, rate: Rate): Reading {
  const hashes: number[] = [];
  const use = (hash: number): void => {
    if (hashes.length < MAXIMUM_HASHES && !hashes.includes(hash)) hashes.push(hash);
  };
  const length = Math.min(text.length, MAXIMUM_NAME_LENGTH);
  let meanings = 0;
  let word = HASH_SEED;
  let name = HASH_SEED;
  let letters = 0;
  let parts = 0;
  let before = 0;
  for (let index = 0; index <= length; index++) {
    const code = index < length ? text.charCodeAt(index) : 32;
    const lower = code >= 97 && code <= 122;
    const letter = lower || code > 127 || (code >= 65 && code <= 90);
    if (!letter || (!lower && code < 128 && before >= 97 && before <= 122)) {
      if (letters > 1 || (letters === 1 && seed === TAG_SEED)) {
        if (seed !== TAG_SEED) meanings |= meaningBits(word);
        use(mixHash(word, seed));
        parts++;
      }
      word = HASH_SEED;
      letters = 0;
    }
    if (letter) {
      const folded = lower || code > 127 ? code : code + 32;
      word = mixHash(word, folded);
      name = mixHash(name, folded);
      letters++;
    } else if (code > 32) name = mixHash(name, 45);
    else {
      if (parts > 1) use(mixHash(name, seed + 64));
      name = HASH_SEED;
      parts = 0;
    }
    before = code;
  }
  let rating = 0;
  for (const hash of hashes) rating += rate(hash);
  return { meanings, rating, first: hashes[0] ?? 0, hashes };
}
