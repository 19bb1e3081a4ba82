/** Reads an element's class, id and roles as words: their meanings, and their ratings in a trained lexicon. */
import type { Element } from "domhandler";
import type { Rate } from "./lexicon.ts";
import { isStyle, meaningBits } from "./name-words.ts";
import { HASH_SEED, mixHash } from "./text-statistics.ts";

/** The words of one attribute or tag name, as read. */
interface Reading {
  readonly meanings: number;
  readonly rating: number;
  readonly first: number;
  /** Its hashes among those of the page, from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
}

const CLASS_SEED = 1;
const ITEM_TYPE_SEED = 7;
const HIDING = -1;
/**
 * Attributes that tell what an element is for, each with a seed, so that equal words differ between attributes; and those
 * that may hide it.
 */
const SEEDS: ReadonlyMap<string, number> = new Map([
  ["class", CLASS_SEED],
  ["id", 2],
  ["role", 3],
  ["itemprop", 4],
  ["data-testid", 5],
  ["data-component", 5],
  ["aria-label", 6],
  ["itemtype", ITEM_TYPE_SEED],
  ["hidden", HIDING],
  ["style", HIDING],
  ["aria-hidden", HIDING],
]);
const TAG_SEED = 0;
const MAXIMUM_NAME_LENGTH = 300;
const MAXIMUM_HASHES = 40;
const MAXIMUM_RATING = 4;

/** In characters; longer lists of classes are generated, and their beginnings say enough. */
const LONGEST_CLASS = 2000;

/** The beginning of an element's class: what asks all elements around each text for their names reads no more of it. */
export function classOf({ attribs: { class: names = "" } }: Element): string {
  return names.length > LONGEST_CLASS ? names.slice(0, LONGEST_CLASS) : names;
}

/** Reads elements one after the other, and remembers the names it has seen; one reader for each page. */
export class NameReader {
  /** The meanings of the last element's names, as bits. */
  meanings = 0;
  /** The sum of the lexicon's ratings for the last element, bounded. */
  rating = 0;
  /** The hash of the first word of the last element's class, or 0. */
  shape = 0;
  /** Whether the last element has an attribute that may hide it. */
  mayBeHidden = false;
  readonly #rate: Rate;
  /** By the number of a tag. */
  readonly #tags: (Reading | undefined)[] = [];
  /** The hashes of all names, one after the other. */
  readonly #hashes: number[] = [];
  /** By seed. */
  readonly #seen: (Map<string, Reading> | undefined)[] = [];

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** @param tag its number in the table of tags, or 0 */
  read(element: Element, tag: number): void {
    this.meanings = 0;
    this.shape = 0;
    this.mayBeHidden = false;
    let rating = this.#readingOfTag(element.name, tag).rating;
    const attributes = element.attribs;
    for (const name in attributes) {
      const seed = SEEDS.get(name);
      if (seed === undefined) continue;
      if (seed === HIDING) {
        this.mayBeHidden = true;
        continue;
      }
      const reading = this.#reading(seed, attributes[name]!);
      this.meanings |= reading.meanings;
      rating += reading.rating;
      if (seed === CLASS_SEED) this.shape = reading.first;
    }
    this.rating = Math.max(-MAXIMUM_RATING, Math.min(MAXIMUM_RATING, rating));
  }

  /** The hashes of all words of an element's names, as used for rating. */
  hashesOf(element: Element): number[] {
    const readings = [this.#reading(TAG_SEED, element.name)];
    for (const name in element.attribs) {
      const seed = SEEDS.get(name);
      if (seed !== undefined && seed !== HIDING) readings.push(this.#reading(seed, element.attribs[name]!));
    }
    return readings.flatMap(({ from, to }) => this.#hashes.slice(from, to));
  }

  /** The hash of every word seen so far, some more than once. */
  get hashes(): readonly number[] {
    return this.#hashes;
  }

  /** Tags with a number are cached by it. */
  #readingOfTag(name: string, tag: number): Reading {
    const known = tag === 0 ? undefined : this.#tags[tag];
    if (known !== undefined) return known;
    const reading = this.#reading(TAG_SEED, name);
    this.#tags[tag] = reading;
    return reading;
  }

  /** Every `itemtype` of the page so far, once. */
  itemTypes(): Iterable<string> {
    return this.#seen[ITEM_TYPE_SEED]?.keys() ?? [];
  }

  /** Every `class` of the page so far, once. */
  classes(): IteratorObject<string> {
    return Iterator.from(this.#seen[CLASS_SEED]?.keys() ?? []);
  }

  /** Whether an element that has been read has this value in this attribute. */
  has(attribute: "id" | "role", value: string): boolean {
    return this.#seen[SEEDS.get(attribute)!]?.has(value) === true;
  }

  #reading(seed: number, text: string): Reading {
    let seen = this.#seen[seed];
    if (seen === undefined) {
      seen = new Map();
      this.#seen[seed] = seen;
    }
    let reading = seen.get(text);
    if (reading === undefined) {
      reading = this.#readWords(text, seed);
      seen.set(text, reading);
    }
    return reading;
  }

  /** Splits names at spaces, dashes, digits and capitals; a name with several parts also counts as a whole. */
  #readWords(text: string, seed: number): Reading {
    const from = this.#hashes.length;
    const length = Math.min(text.length, MAXIMUM_NAME_LENGTH);
    let meanings = 0;
    let word = HASH_SEED;
    let name = HASH_SEED;
    let letters = 0;
    let parts = 0;
    let before = 0;
    let partBefore = 0;
    for (let index = 0; index <= length; index++) {
      const code = index < length ? text.charCodeAt(index) : 32;
      const lower = code >= 97 && code <= 122;
      const letter = lower || code > 127 || (code >= 65 && code <= 90);
      if (!letter || (!lower && code < 128 && before >= 97 && before <= 122)) {
        if (letters > 1 || (letters === 1 && seed === TAG_SEED)) {
          const bits = seed === TAG_SEED ? 0 : meaningBits(word);
          if (bits !== 0 && !isStyle(partBefore, word)) meanings |= bits;
          partBefore = word;
          this.#note(mixHash(word, seed), from);
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
        if (parts > 1) this.#note(mixHash(name, seed + 64), from);
        name = HASH_SEED;
        parts = 0;
        partBefore = 0;
      }
      before = code;
    }
    let rating = 0;
    const to = this.#hashes.length;
    for (let place = from; place < to; place++) rating += this.#rate(this.#hashes[place]!);
    return { meanings, rating, first: from < to ? this.#hashes[from]! : 0, from, to };
  }

  /** Adds a hash to those of a name, which begin at `from`, unless it is among them. */
  #note(hash: number, from: number): void {
    const hashes = this.#hashes;
    if (hashes.length - from >= MAXIMUM_HASHES) return;
    for (let place = from; place < hashes.length; place++) if (hashes[place] === hash) return;
    hashes.push(hash);
  }
}
