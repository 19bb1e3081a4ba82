/** The words of a text, in the form in which an index keeps them. */

import { withoutEnding } from "./word-endings.ts";

const latin = /[a-z0-9]+/g;
/**
 * Letters of scripts without spaces between words. By script extensions, because the long-vowel mark of Japanese
 * belongs to two scripts; only letters, because commas and brackets do too.
 */
const withoutSpaces =
  /[\p{L}&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/v;
const others = new RegExp(`[[\\p{L}\\p{N}]--${withoutSpaces.source}]+`, "v");
/** If such text and other words touch, as in `日本語PDF`, both are words. */
const any = new RegExp(`${withoutSpaces.source}+|${others.source}`, "gv");
const beyondAscii = /[^\0-\x7f]/;
const marks = /\p{M}+/gu;
const maxWordLength = 64;

/**
 * The words of a search, in small letters without accents and endings, so that "guides" and "guide" are one word;
 * scripts without spaces between words, and Korean, by pairs of characters.
 *
 * @example
 * searchWords("Cafés crawled"); // ["caf", "crawl"]
 */
export function searchWords(text: string): string[] {
  return words(text, pairs);
}

/**
 * The words by which a page is found: those of {@link searchWords}, and single characters of such scripts, which may be
 * searched alone.
 */
export function wordsOfPage(text: string): string[] {
  return words(text, (word) => [...pairs(word), ...(word.length > 1 ? word : "")]);
}

/** Whether the text contains letters of scripts without spaces between words. */
export function setsNoSpaces(text: string): boolean {
  return beyondAscii.test(text) && withoutSpaces.test(text);
}

function words(text: string, parts: (word: string) => string[]): string[] {
  if (!beyondAscii.test(text)) return (text.toLowerCase().match(latin) ?? []).map(stem);
  const plain = inSmallLetters(withoutMarks(text).normalize("NFC"));
  return (plain.match(any) ?? []).flatMap((word) => (withoutSpaces.test(word) ? parts(word) : stem(word)));
}

/**
 * Letters without accents, in their simplest forms.
 *
 * Marks are removed before, too: the platform puts those of one letter in order, for which it takes seconds if they are
 * ten thousands. A single character brings only a few.
 */
export function withoutMarks(text: string): string {
  return text.replace(marks, "").normalize("NFKD").replace(marks, "");
}

/** By way of capitals, which some letters have in common: `ß` and `ss`. */
export function inSmallLetters(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function stem(word: string): string {
  // Not every database can store half a surrogate pair.
  const short = word.length > maxWordLength ? word.slice(0, maxWordLength).toWellFormed() : word;
  return withoutEnding(short);
}

function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}
