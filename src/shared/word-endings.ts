/** Endings by which the forms of one word differ, so that a search for one form finds the others. */

const vowel = /[aeiouy]/;

/**
 * A word of small letters without its plural, `-ed`, `-ing` or last `e`: "cities" and "city" have one stem, as have
 * "hoped", "hoping" and "hope". Made for English; many plurals of other languages end alike.
 *
 * @example
 * withoutEnding("crawling"); // "crawl"
 */
export function withoutEnding(word: string): string {
  let stem = withoutPlural(word);
  if (stem.length > 4 && stem.endsWith("ed") && !stem.endsWith("eed")) stem = withoutSuffix(stem, 2);
  else if (stem.length > 5 && stem.endsWith("ing")) stem = withoutSuffix(stem, 3);
  if (stem.length > 3 && stem.endsWith("e")) return stem.slice(0, -1);
  if (stem.length > 3 && stem.endsWith("y")) return `${stem.slice(0, -1)}i`;
  return stem.length > 5 && stem.endsWith("ll") ? stem.slice(0, -1) : stem;
}

function withoutPlural(word: string): string {
  if (word.length <= 3 || !word.endsWith("s") || word.endsWith("ss")) return word;
  return word.slice(0, word.length > 4 && word.endsWith("ies") ? -2 : -1);
}

function withoutSuffix(word: string, length: number): string {
  const stem = word.slice(0, -length);
  if (stem.length < 3 || !vowel.test(stem)) return word;
  const last = stem.at(-1)!;
  const isDoubled = last === stem.at(-2) && !/[aeioulsz]/.test(last);
  return isDoubled ? stem.slice(0, -1) : stem;
}
