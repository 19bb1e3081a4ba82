/** Reads an element's class, id and roles as words: their meanings, and their ratings in a trained lexicon. */
import type { Element } from "domhandler";
import { copyText } from "../copy-text.ts";
import type { Rate } from "./lexicon.ts";
import { meaningBits } from "./name-words.ts";
import { HASH_SEED, mixHash } from "./text-statistics.ts";

/** The words of one attribute or tag name, as read. */
class Reading {
  readonly meanings: number;
  readonly rating: number;
  readonly hashes: readonly number[];
  /** The last page with this name. */
  page = 0;

  constructor(meanings: number, rating: number, hashes: readonly number[]) {
    this.meanings = meanings;
    this.rating = rating;
    this.hashes = hashes;
  }
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
/** Names are remembered until they have so many characters, of which each name counts some more for its reading. */
const MOST_REMEMBERED = 500_000;
const SIZE_OF_READING = 100;

/**
 * Reads the elements of a page one after the other. It remembers the names of the pages before: those of a site have
 * most of them in common.
 */
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
  #page = 1;
  /** By the number of a tag. */
  #tags: (Reading | undefined)[] = [];
  /** By seed. */
  #known: (Map<string, Reading> | undefined)[] = [];
  #remembered = 0;
  /** The hashes of the page's names, one after the other. */
  #hashes: number[] = [];
  #classes: string[] = [];
  #itemTypes: string[] = [];

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** To be called before the next page. */
  reuse(): void {
    this.#page++;
    this.#hashes = [];
    this.#classes = [];
    this.#itemTypes = [];
    if (this.#remembered <= MOST_REMEMBERED) return;
    this.#remembered = 0;
    this.#tags = [];
    this.#known = [];
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
      if (seed === CLASS_SEED) this.shape = reading.hashes[0] ?? 0;
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
    return readings.flatMap(({ hashes }) => hashes);
  }

  /** The hash of every word of the page so far, some more than once. */
  get hashes(): readonly number[] {
    return this.#hashes;
  }

  /** Tags with a number are cached by it. */
  #readingOfTag(name: string, tag: number): Reading {
    const known = tag === 0 ? undefined : this.#tags[tag];
    if (known !== undefined && known.page === this.#page) return known;
    const reading = this.#reading(TAG_SEED, name);
    this.#tags[tag] = reading;
    return reading;
  }

  /** Every `itemtype` of the page so far, once. */
  itemTypes(): readonly string[] {
    return this.#itemTypes;
  }

  /** Every `class` of the page so far, once. */
  classes(): readonly string[] {
    return this.#classes;
  }

  /** Whether an element that has been read has this value in this attribute. */
  has(attribute: "id" | "role", value: string): boolean {
    return this.#known[SEEDS.get(attribute)!]?.get(value)?.page === this.#page;
  }

  #reading(seed: number, text: string): Reading {
    let known = this.#known[seed];
    if (known === undefined) {
      known = new Map();
      this.#known[seed] = known;
    }
    let reading = known.get(text);
    if (reading === undefined) {
      reading = this.#readWords(text, seed);
      known.set(copyText(text), reading);
      this.#remembered += text.length + SIZE_OF_READING;
    }
    if (reading.page !== this.#page) {
      reading.page = this.#page;
      for (const hash of reading.hashes) this.#hashes.push(hash);
      if (seed === CLASS_SEED) this.#classes.push(text);
      else if (seed === ITEM_TYPE_SEED) this.#itemTypes.push(text);
    }
    return reading;
  }

  /** Splits names at spaces, dashes, digits and capitals; a name with several parts also counts as a whole. */
  #readWords(text: string, seed: number): Reading {
    const hashes: number[] = [];
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
          note(hashes, mixHash(word, seed));
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
        if (parts > 1) note(hashes, mixHash(name, seed + 64));
        name = HASH_SEED;
        parts = 0;
      }
      before = code;
    }
    let rating = 0;
    for (const hash of hashes) rating += this.#rate(hash);
    return new Reading(meanings, rating, hashes);
  }
}

/** Adds a hash to those of a name, unless it is among them. */
function note(hashes: number[], hash: number): void {
  if (hashes.length < MAXIMUM_HASHES && !hashes.includes(hash)) hashes.push(hash);
}
