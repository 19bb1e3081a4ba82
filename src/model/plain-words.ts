/** The words of a wish that say no more than the names of the fields that are wanted. */
import { withoutEnding } from "../shared/word-endings.ts";
import { fieldPaths, plainName, typeNames } from "./structured-names.ts";

/** Words that set no condition: whatever sets one needs another word, as "in" needs "cents". */
const plainWords: ReadonlySet<string> = stems(
  // Words that hold a sentence together; `s` is that of a genitive
  "a an the of for to on in at from by with and or is are was be been has have as its it this that these which who whose " +
    "s their his her our your they he she you we can also e g i ie eg example such " +
    "publication published posted code iso address status located online shop store catalog catalogue " +
    "where when whether each every all any if one " +
    // Kinds of values
    "name title value text string number numeric amount date url uri link true false " +
    // What is described
    "product item thing entity page website site web " +
    // That it is there
    "current main primary full whole complete exact actual official own displayed shown given stated mentioned " +
    "visible available present known respective corresponding associated",
);

const typeWords: ReadonlySet<string> = stems(Object.keys(typeNames).join(" "));

/** Fields whose values are at the same first path: `employer` and `company`. */
const sameFields: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  Object.keys(fieldPaths),
  (field) => fieldPaths[field]![0]!,
);

export function stems(text: string): Set<string> {
  return new Set(wordsOf(text).map(withoutEnding));
}

/** The words of a text, or of a name: `pricePerUnit` has three. */
export function wordsOf(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** What fields are called, by themselves and in schema.org. */
export class PlainWords {
  readonly #stems = new Set<string>();
  /** Names whose words are not separated: `jobtitle`. */
  readonly #joined = new Set<string>();

  constructor(names: readonly string[]) {
    for (const name of names) this.#add(name);
  }

  #add(name: string): void {
    this.#addWords(name);
    const plain = plainName(name);
    const paths = Object.hasOwn(fieldPaths, plain) ? fieldPaths[plain]! : [];
    for (const path of paths) this.#addWords(path);
    for (const same of sameFields.get(paths[0] ?? "") ?? []) this.#joined.add(same);
  }

  #addWords(name: string): void {
    for (const word of wordsOf(name)) this.#stems.add(withoutEnding(word));
  }

  /** Whether a word says no more than these names. */
  has(word: string): boolean {
    const stem = withoutEnding(word);
    if (plainWords.has(stem) || typeWords.has(stem) || this.#stems.has(stem)) return true;
    if (/^\d+$/.test(word)) return true;
    return word.length > 2 && this.#joined.values().some((name) => name.includes(word));
  }
}
