/** The words of a text, as an index keeps them. */

const latin = /[a-z0-9]+/g;
const any = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu;
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const beyondAscii = /[^\0-\x7f]/;
const marks = /\p{M}+/gu;
const maxWordLength = 64;

/**
 * The words of a search, in small letters without accents; "guides" and "guide" are one word; Chinese, Japanese and Korean
 * by pairs of characters.
 *
 * @example
 * searchWords("Café guides"); // ["cafe", "guide"]
 */
export function searchWords(text: string): string[] {
  return words(text, pairs);
}

/** The words by which a page is found: as {@link searchWords}, and each of those characters, which may be searched alone. */
export function wordsOfPage(text: string): string[] {
  return words(text, (word) => [...pairs(word), ...(word.length > 1 ? word : "")]);
}

function words(text: string, parts: (word: string) => string[]): string[] {
  if (!beyondAscii.test(text)) return (text.toLowerCase().match(latin) ?? []).map(stem);
  const plain = text.normalize("NFKD").replace(marks, "").normalize("NFC").toLowerCase();
  return (plain.match(any) ?? []).flatMap((word) => (withoutSpaces.test(word) ? parts(word) : stem(word)));
}

function stem(word: string): string {
  // A character that is cut in half cannot be stored everywhere.
  const short = word.length > maxWordLength ? word.slice(0, maxWordLength).toWellFormed() : word;
  return short.length > 3 && short.endsWith("s") && !short.endsWith("ss") ? short.slice(0, -1) : short;
}

function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}
