/** The part of a text that best shows why it was found. */
import { setsNoSpaces, wordsOfPage } from "../shared/search-words.ts";

const length = 240;
/** Characters before the first word that is shown. */
const leadIn = 40;
/** How much of a text is examined. */
const maxLooked = 100_000;
/** Text without spaces is examined in pieces of this length; the position of a word within a piece is not known. */
const longestRun = 16;

/**
 * The window of about 240 characters with the most different search words, cut between words if possible; the beginning
 * of the text if it contains none of them.
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

/** The runs between spaces; in scripts without spaces, pieces of them. */
function* runsOf(text: string): Generator<{ readonly at: number; readonly run: string }> {
  for (const { 0: run, index } of text.matchAll(/\S+/g)) {
    if (run.length <= longestRun || !setsNoSpaces(run)) yield { at: index, run };
    // In such scripts, words are pairs of characters, and one may reach into the next piece.
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
  // A surrogate pair may be cut in half.
  const piece = text
    .slice(start, end)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${start > 0 ? "… " : ""}${piece}${end < text.length ? " …" : ""}`;
}
