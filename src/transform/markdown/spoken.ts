// Text for screen readers only, which style sheets keep out of sight, next to what is shown.

import type { Element } from "domhandler";
import { elementBeside, textContent } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { skip } from "./plain-rules.ts";

const spokenClass =
  /(?:^|[\s_-])(?:sr-only|visually-?hidden|hidden-visually|screen-?reader(?:-text|-only)?|a-offscreen|visible-sr)(?:$|[\s_-])/i;
/** Most characters that are compared. */
const mostText = 200;

export const isSpoken = (className: string): boolean => spokenClass.test(className);

/** Separates the text from what is shown; writes only one of them if both say the same. */
export function writeSpoken(context: MarkdownContext, element: Element): void {
  const spoken = textContent(element, mostText);
  if (!completesWord(element, spoken)) context.run.gap();
  const twin = shownTwin(element, spoken);
  if (twin === undefined) context.children(element);
  else if (twin === elementBeside(element, "next") && compact(textContent(twin, mostText)) !== compact(spoken)) {
    // If a style sheet draws the point of a price, only the spoken text is readable.
    context.children(element);
    context.overrides.set(twin, skip);
  }
  context.run.gap();
}

/** As when `Mon` is shown and `day` only spoken. */
function completesWord({ prev }: Element, spoken: string): boolean {
  return prev?.type === "text" && /(?<!\p{L})\p{L}{1,4}$/u.test(prev.data.slice(-5)) && /^\p{Ll}+$/u.test(spoken);
}

/** The element next to it that shows the same. */
function shownTwin(element: Element, spoken: string): Element | undefined {
  const letters = lettersOf(spoken);
  if (letters === "") return undefined;
  for (const side of ["prev", "next"] as const) {
    const other = elementBeside(element, side);
    if (other?.attribs["aria-hidden"] === "true" && lettersOf(textContent(other, mostText)) === letters) return other;
  }
  return undefined;
}

const compact = (text: string): string => text.replace(/\s+/g, "");

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");
