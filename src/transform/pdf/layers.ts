/**
 * Leaves out what belongs to layers of the file that are hidden, such as another language or the answers to questions.
 *
 * The text from pdf.js does not tell of layers, but the operators with which it draws a page do. Both are in the order
 * of the file, so text is found again among what is drawn; text that is not found counts as seen.
 */

import type { OperatorNumbers } from "./drawing-messages.ts";
import type { Operators } from "./drawn-paths.ts";
import type { PdfItem } from "./page.ts";
import { plainForm } from "./plain-form.ts";

/** The layers of a file, as pdf.js returns them. */
export interface Layers {
  isVisible(layer: unknown): boolean;
}

/** The letters that a page draws, hidden ones as well, and for each whether it is hidden. */
interface DrawnLetters {
  readonly letters: string;
  readonly isHidden: readonly boolean[];
}

interface SeenOperators {
  readonly operators: Operators;
  /** `undefined` if none is hidden. */
  readonly drawn: DrawnLetters | undefined;
}

/** Text outside of the page is drawn, but not read. For each letter of a run, so many are skipped to find it. */
const mostSkipped = 1_000;

/** The operators without the paths in hidden layers. */
export function seenOperators(
  { fnArray, argsArray }: Operators,
  numbers: OperatorNumbers,
  layers: Layers,
): SeenOperators {
  const [seen, given]: [number[], unknown[]] = [[], []];
  const letters: string[] = [];
  const isHidden: boolean[] = [];
  /** For each open mark, whether what is within it is hidden. */
  const open: boolean[] = [];
  for (const [index, number] of fnArray.entries()) {
    const isWithin = open.at(-1) ?? false;
    if (number === numbers.beginMarkedContent) open.push(isWithin);
    else if (number === numbers.beginMarkedContentProps) {
      const [tag, layer] = (argsArray[index] ?? []) as unknown[];
      open.push(isWithin || (tag === "OC" && !layers.isVisible(layer)));
    } else if (number === numbers.endMarkedContent) open.pop();
    else if (number === numbers.showText) {
      const text = comparable((argsArray[index] as [string])[0]);
      letters.push(text);
      for (let at = 0; at < text.length; at++) isHidden.push(isWithin);
    } else if (!isWithin || number !== numbers.constructPath) {
      seen.push(number);
      given.push(argsArray[index]);
    }
  }
  const drawn = isHidden.includes(true) ? { letters: letters.join(""), isHidden } : undefined;
  return { operators: { fnArray: seen, argsArray: given }, drawn };
}

export function seenItems<Item extends PdfItem>(items: readonly Item[], { letters, isHidden }: DrawnLetters): Item[] {
  let end = 0;
  let isLastHidden = false;
  return items.filter(({ text }) => {
    const own = comparable(text);
    if (own !== "") {
      const start = placeOf(own, letters, end);
      isLastHidden = start >= 0 && isHidden[start]!;
      if (start >= 0) end = start + own.length;
    }
    return !isLastHidden;
  });
}

function placeOf(own: string, letters: string, from: number): number {
  // What is read from right to left may be drawn from left to right.
  if (sorted(letters.slice(from, from + own.length)) === sorted(own)) return from;
  const found = letters.slice(from, from + own.length * mostSkipped).indexOf(own);
  return found < 0 ? found : from + found;
}

function sorted(text: string): string {
  return [...text].sort().join("");
}

/** What of letters is the same in the text and in what is drawn. */
function comparable(text: string): string {
  return plainForm(text).replace(/[\s\p{Cf}]/gu, "");
}
