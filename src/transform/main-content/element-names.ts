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
  /** Hashes of the name parts, for the trainer; also what `rating` was summed from. */
  readonly hashes: readonly number[];
}

const NOTHING: NameReading = { meanings: 0, rating: 0, hashes: [] };
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
const MAXIMUM_RATING = 4;

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
  const lines = key.split("\u0001");
  const tag = lines[0]!;
  hashes.push(hashText(tag, 0));
  let meanings = 0;
  for (let line = 1; line < lines.length; line++) {
    const text = lines[line]!;
    const seed = text.charCodeAt(0);
    forEachWord(text, 1, (word) => {
      meanings |= meaningBits(word);
      const hash = hashText(word, seed);
      if (!hashes.includes(hash) && hashes.length < 40) hashes.push(hash);
    });
  }
  if (hashes.length === 0) return NOTHING;
  let rating = 0;
  for (const hash of hashes) rating += rate(hash);
  return { meanings, rating: Math.max(-MAXIMUM_RATING, Math.min(MAXIMUM_RATING, rating)), hashes };
}

function hashText(text: string, seed: number): number {
  let hash = mixHash(HASH_SEED, seed + 0x5000);
  for (let index = 0; index < text.length; index++) hash = mixHash(hash, text.charCodeAt(index));
  return hash;
}

/** Calls back with each lower-case part of a name, and with each whole name that has several parts. */
function forEachWord(text: string, from: number, use: (word: string) => void): void {
  let nameStart = from;
  let wordStart = from;
  let parts = 0;
  for (let index = from; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 32;
    const lower = code >= 97 && code <= 122;
    const upper = code >= 65 && code <= 90;
    if (lower || code > 127) continue;
    if (upper) {
      const before = index > wordStart ? text.charCodeAt(index - 1) : 0;
      if (before >= 97 && before <= 122) {
        use(text.slice(wordStart, index).toLowerCase());
        wordStart = index;
        parts++;
      }
      continue;
    }
    if (index > wordStart) {
      use(text.slice(wordStart, index).toLowerCase());
      parts++;
    }
    wordStart = index + 1;
    if (code <= 32) {
      if (parts > 1 && index - nameStart < 40) use(text.slice(nameStart, index).toLowerCase());
      nameStart = index + 1;
      parts = 0;
    }
  }
}
