/** Joins a large initial, which is as high as several lines or stands out of the first, with the word that it begins. */

import type { PdfItem } from "./page.ts";
import { type Piece, textOf } from "./pieces.ts";

/** What a fragment has. */
interface Line {
  readonly pieces: Piece[];
  readonly left: number;
  readonly y: number;
  readonly fontSize: number;
}

const initial = /^[\p{Pi}"'¿¡]?\p{Lu}$/u;
/** How many times larger it is than the text beside it. */
const leastGrowth = 1.8;
/** The rest of a word, perhaps in capitals; anything else is beside a letter that stands for itself. */
const restOfWord = /^(?:['’]?\p{Ll}|\p{Lu}{2}|\s+\p{L})/u;
/** In characters: a single line that is shorter, beside a letter, is an index of it, or the rest of a name. */
const shortestLine = 20;
/** A page with more of such letters is no text with initials. */
const mostOfPage = 20;

/** In font sizes of the initial: how far above and below its baseline those of the lines beside it are. */
const reach = { above: 0.85, below: 0.15 };
/** In font sizes of a line: how far from the initial it begins. */
const farthest = { left: -0.3, right: 1.2 };

/** Those of the runs that are large initials. */
export function largeInitials(items: readonly PdfItem[]): Set<PdfItem> {
  const found = items.filter(({ text }) => text.length <= 2 && initial.test(text));
  const beside = (one: PdfItem) => items.some((item) => isBeside(one, item.x, item) && restOfWord.test(item.text));
  return new Set(found.length > mostOfPage ? [] : found.filter(beside));
}

/** The fragments with the initials in their first lines. */
export function withInitials<Fragment extends Line>(
  fragments: readonly Fragment[],
  initials: ReadonlySet<PdfItem>,
  alone: (item: PdfItem) => Fragment,
): Fragment[] {
  let result = [...fragments];
  for (const item of initials) {
    const lines = result.filter((fragment) => isBeside(item, fragment.left, fragment));
    const first = lines.reduce((top, line) => (line.y < top.y ? line : top), lines[0]!);
    const text = first === undefined ? "" : textOf(first.pieces);
    const isText = lines.length > 1 || text.length >= shortestLine;
    // Something of this line is drawn over the letter: what follows it does not begin the line.
    const isBegun = result.some(({ left, y }) => y === first?.y && left >= item.x && left < first.left);
    if (!isText || isBegun || !restOfWord.test(text)) result.push(alone(item));
    else {
      const joined = { ...first!, pieces: startedWith(item.text, first!.pieces, fragments) };
      // The lines beside it begin where the others do.
      result = result.map((line) =>
        lines.includes(line) ? { ...(line === first ? joined : line), left: item.x } : line,
      );
    }
  }
  return result;
}

function isBeside(large: PdfItem, left: number, { y, fontSize }: { y: number; fontSize: number }): boolean {
  const above = (large.y - y) / large.fontSize;
  if (fontSize * leastGrowth > large.fontSize || above > reach.above || above < -reach.below) return false;
  const gap = (left - large.x - large.width) / fontSize;
  return gap >= farthest.left && gap <= farthest.right;
}

function startedWith(letter: string, pieces: readonly Piece[], fragments: readonly Line[]): Piece[] {
  const [first, ...rest] = pieces as [Piece];
  const space = isWord(letter, first.text, fragments) ? " " : "";
  return [{ ...first, text: letter + space + first.text }, ...rest];
}

/** `A` and `I` may be words: if the text beside them begins with a word of the page, which is none together with them. */
function isWord(letter: string, text: string, fragments: readonly Line[]): boolean {
  const rest = /^\p{L}+/u.exec(text)?.[0].toLowerCase();
  if (rest === undefined || !/[AIÀ]$/.test(letter)) return false;
  const words = new Set(
    fragments.flatMap(
      ({ pieces }) =>
        textOf(pieces)
          .toLowerCase()
          .match(/\p{L}+/gu)
          ?.slice(1) ?? [],
    ),
  );
  return words.has(rest) && !words.has(letter.at(-1)!.toLowerCase() + rest);
}
