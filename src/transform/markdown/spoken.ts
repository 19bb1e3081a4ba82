// Text that is there for screen readers alone. What style sheets keep out of sight stands close to what is shown.

import type { Element } from "domhandler";
import { elementBeside, textContent } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { skip } from "./plain-rules.ts";

const spokenClass =
  /(?:^|[\s_-])(?:sr-only|visually-?hidden|hidden-visually|screen-?reader(?:-text|-only)?|a-offscreen|visible-sr)(?:$|[\s_-])/i;
/** As much is compared. */
const mostText = 200;

export const isSpoken = (className: string): boolean => spokenClass.test(className);

/** Apart from what is shown; one of the two where both say the same. */
export function writeSpoken(context: MarkdownContext, element: Element): void {
  const spoken = textContent(element, mostText);
  if (!completesWord(element, spoken)) context.run.gap();
  const twin = shownTwin(element, spoken);
  if (twin === undefined) context.children(element);
  else if (twin === elementBeside(element, "next") && compact(textContent(twin, mostText)) !== compact(spoken)) {
    // Of a price whose point is a matter of style, what is spoken can be read.
    context.children(element);
    context.overrides.set(twin, skip);
  }
  context.run.gap();
}

/** `Mon` is shown, `day` is spoken. */
function completesWord({ prev }: Element, spoken: string): boolean {
  return prev?.type === "text" && /(?<!\p{L})\p{L}{1,4}$/u.test(prev.data.slice(-5)) && /^\p{Ll}+$/u.test(spoken);
}

/** What is shown beside it in place of it. */
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
