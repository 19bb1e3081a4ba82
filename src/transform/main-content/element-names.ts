/** Reads an element's class, id and roles as words: which meanings they have and how a trained lexicon rates them. */
import type { Element } from "domhandler";
import { meaningBits } from "./name-words.ts";
import { HASH_SEED, mixHash } from "./text-statistics.ts";

/** Rates the hash of a word: above zero where it is found around main content, below where around the rest. */
export type Rate = (hash: number) => number;

/** What an element's names say. */
export interface NameReading {
  readonly meanings: number;
  /** The sum of the lexicon's ratings, bounded. */
  readonly rating: number;
  /** The hash of the first word of its class, or 0. */
  readonly shape: number;
  /** Hashes of the name parts, for the trainer; also what `rating` was summed from. */
  readonly hashes: readonly number[];
}

/** Attributes whose words say what an element is for, each with a seed so that equal words in different places differ. */
const NAME_ATTRIBUTES: readonly (readonly [string, number])[] = [
  ["class", 1],
  ["id", 2],
  ["role", 3],
  ["itemprop", 4],
  ["data-testid", 5],
  ["data-component", 5],
  ["aria-label", 6],
  ["itemtype", 7],
];
const MAXIMUM_NAME_LENGTH = 300;
const MAXIMUM_HASHES = 40;
const MAXIMUM_RATING = 4;
const CLASS_SEED = "1".charCodeAt(0);

/** A reader that remembers the names it has seen; make one for each page. */
export function nameReader(rate: Rate): (element: Element) => NameReading {
  const seen = new Map<string, NameReading>();
  return (element) => {
    const attributes = element.attribs;
    let key = element.name;
    for (const [attribute, seed] of NAME_ATTRIBUTES) {
      const value = attributes[attribute];
      if (value)
        key += `\u0001${seed}${value.length > MAXIMUM_NAME_LENGTH ? value.slice(0, MAXIMUM_NAME_LENGTH) : value}`;
    }
    let reading = seen.get(key);
    if (reading === undefined) {
      reading = readNames(key, rate);
      seen.set(key, reading);
    }
    return reading;
  };
}

function readNames(key: string, rate: Rate): NameReading {
  const hashes: number[] = [];
  const use = (hash: number): void => {
    if (hashes.length < MAXIMUM_HASHES && !hashes.includes(hash)) hashes.push(hash);
  };
  let meanings = 0;
  let shape = 0;
  let seed = 0;
  let word = HASH_SEED;
  let name = HASH_SEED;
  let wordLength = 0;
  let parts = 0;
  let before = 0;
  const endWord = (): void => {
    if (wordLength > 1) {
      if (seed !== 0) meanings |= meaningBits(word);
      const hash = mixHash(word, seed);
      if (shape === 0 && seed === CLASS_SEED) shape = hash;
      use(hash);
      parts++;
    }
    word = HASH_SEED;
    wordLength = 0;
  };
  for (let index = 0; index <= key.length; index++) {
    const code = index < key.length ? key.charCodeAt(index) : 1;
    const lower = code >= 97 && code <= 122;
    if (lower || code > 127 || (code >= 65 && code <= 90)) {
      // camelCase
      if (!lower && code < 128 && before >= 97 && before <= 122) endWord();
      const folded = lower || code > 127 ? code : code + 32;
      word = mixHash(word, folded);
      name = mixHash(name, folded);
      wordLength++;
    } else {
      endWord();
      if (code > 32) name = mixHash(name, 45);
      else {
        if (parts > 1) use(mixHash(name, seed + 64));
        name = HASH_SEED;
        parts = 0;
      }
      if (code === 1 && index < key.length) seed = key.charCodeAt(++index);
    }
    before = code;
  }
  let rating = 0;
  for (const hash of hashes) rating += rate(hash);
  return { meanings, rating: Math.max(-MAXIMUM_RATING, Math.min(MAXIMUM_RATING, rating)), shape, hashes };
}
