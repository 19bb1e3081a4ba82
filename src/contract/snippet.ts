/** The piece of a text that shows best why it was found. */
import { setsNoSpaces, wordsOfPage } from "./search-words.ts";

const length = 240;
/** Characters before the first word that is shown. */
const leadIn = 40;
/** How far into a text is looked. */
const maxLooked = 100_000;
/** So much of a text without spaces is looked at in one go: where in it a word stands is not told. */
const longestRun = 16;

/**
 * The window of about 240 characters with the most different words of the search, at the borders of words where there are
 * any; the beginning of the text when it holds none of them.
 */
export function snippetOf(text: string, words: readonly string[]): string {
  const wanted = new Set(words);
  const looked = text.slice(0, maxLooked);
  const found: { at: number; word: string }[] = [];
  for (const { at, run } of runsOf(looked)) {
    for (const word of wordsOfPage(run)) if (wanted.has(word)) found.push({ at, word });
  }
  let best = 0;
  let most = 0;
  let from = 0;
  const inside = new Map<string, number>();
  for (const { at, word } of found) {
    inside.set(word, (inside.get(word) ?? 0) + 1);
    for (; at - found[from]!.at > length - leadIn; from++) {
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

/** What stands between spaces; of scripts that set none, pieces of it. */
function* runsOf(text: string): Generator<{ readonly at: number; readonly run: string }> {
  for (const { 0: run, index } of text.matchAll(/\S+/g)) {
    if (run.length <= longestRun || !setsNoSpaces(run)) yield { at: index, run };
    // Words there are pairs of characters: one reaches into the next piece.
    else
      for (let at = 0; at < run.length; at += longestRun)
        yield { at: index + at, run: run.slice(at, at + longestRun + 1) };
  }
}

function cut(text: string, at: number): string {
  const earliest = Math.max(0, at - leadIn);
  const spaceBefore = text.slice(earliest, at).indexOf(" ");
  const start = earliest === 0 ? 0 : earliest + spaceBefore + 1;
  let end = Math.min(text.length, start + length);
  if (end < text.length) {
    const spaceAfter = text.lastIndexOf(" ", end);
    if (spaceAfter > end - leadIn) end = spaceAfter;
  }
  // A character of two halves may be cut between them.
  const piece = text
    .slice(start, end)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${start > 0 ? "… " : ""}${piece}${end < text.length ? " …" : ""}`;
}
