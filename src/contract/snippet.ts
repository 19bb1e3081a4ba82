/** The piece of a text that shows best why it was found. */
import { wordsOfPage } from "./search-words.ts";

const length = 240;
/** How far into a text is looked. */
const maxLooked = 100_000;

/**
 * The window of about 240 characters with the most different words of the search, at the borders of words; the beginning
 * of the text when it holds none of them.
 */
export function snippetOf(text: string, words: readonly string[]): string {
  const wanted = new Set(words);
  const looked = text.slice(0, maxLooked);
  const found: { at: number; word: string }[] = [];
  for (const match of looked.matchAll(/\S+/g)) {
    for (const word of wordsOfPage(match[0])) if (wanted.has(word)) found.push({ at: match.index, word });
  }
  let best = 0;
  let most = 0;
  let from = 0;
  const inside = new Map<string, number>();
  for (const { at, word } of found) {
    inside.set(word, (inside.get(word) ?? 0) + 1);
    for (; at - found[from]!.at > length - 40; from++) {
      const left = inside.get(found[from]!.word)! - 1;
      if (left === 0) inside.delete(found[from]!.word);
      else inside.set(found[from]!.word, left);
    }
    if (inside.size > most) {
      most = inside.size;
      best = found[from]!.at;
    }
  }
  return cut(looked, best);
}

function cut(text: string, at: number): string {
  let start = Math.max(0, at - 40);
  if (start > 0) start = text.indexOf(" ", start) + 1;
  let end = Math.min(text.length, start + length);
  if (end < text.length) {
    const space = text.lastIndexOf(" ", end);
    if (space > start) end = space;
  }
  const piece = text.slice(start, end).replace(/\s+/g, " ").trim();
  return `${start > 0 ? "… " : ""}${piece}${end < text.length ? " …" : ""}`;
}
