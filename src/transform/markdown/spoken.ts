// Text for screen readers only, which style sheets keep out of sight, next to what is shown.

import { type Element, isText } from "domhandler";
import { elementBeside, isElement, textContent, walkNodes } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { skip } from "./plain-rules.ts";

const spokenClass =
  /(?:^|[\s_-])(?:sr-only|visually-?hidden|hidden-visually|screen-?reader(?:-text|-only)?|a-offscreen|visible-sr)(?:$|[\s_-])/i;
/** Most characters that are compared. */
const mostText = 200;
/** Most nodes of a control that are examined. */
const mostNodes = 100;

export const isSpoken = (className: string): boolean => spokenClass.test(className);

/** Read out where a style sheet draws a box to tick. */
const boxes = /^[\s▢□☐◻⬜]+$/u;

/** Whether all text of an element, which has some, is for screen readers: others see an icon. */
export function isOnlySpoken(element: Element): boolean {
  let hasSpoken = false;
  let hasOther = false;
  let nodes = 0;
  walkNodes(element, (node) => {
    if (++nodes > mostNodes) hasOther = true;
    if (isElement(node)) {
      if (node.name === "svg") return false;
      if (!isSpoken(node.attribs["class"] ?? "")) return !hasOther;
      hasSpoken = true;
      return false;
    }
    if (isText(node) && /\S/.test(node.data)) hasOther = true;
    return !hasOther;
  });
  return hasSpoken && !hasOther;
}

/** What a link does to the browser says nothing about where it leads. */
const newWindow =
  /^[\s,;([–-]*(?:(?:link )?(?:opens?|opening|external link, opens) in (?:a |an )?(?:new|another) (?:browser )?(?:tab|window|tab or window)(?:\/window)?|(?:wird in|öffnet(?: sich)? in) (?:einem )?neue[mn] (?:tab|fenster)(?: geöffnet)?|(?:s')?ouvre (?:dans )?une? nouve(?:lle|l) (?:fenêtre|onglet)|(?:nouvelle fenêtre|nouvel onglet)|(?:se )?abre en (?:una )?(?:nueva )?(?:pestaña|ventana)(?: nueva)?|abre (?:em|numa) (?:uma )?nova (?:janela|aba|guia)|(?:si )?apre in (?:una )?nuova (?:scheda|finestra)|opent in (?:een )?nieuw(?:e)? (?:tab(?:blad)?|venster)|新しい(?:タブ|ウィンドウ)で開(?:く|きます)|在?新(?:窗口|視窗|标签页|分頁)(?:中)?打?[开開]?啟?)[\s.)\]]*$/i;

export const tellsOfNewWindow = (text: string): boolean => newWindow.test(text);

/** Separates the text from what is shown; writes only one of them if both say the same. */
export function writeSpoken(context: MarkdownContext, element: Element): void {
  const spoken = textContent(element, mostText);
  if (boxes.test(spoken) || tellsOfNewWindow(spoken)) return;
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

/** The element next to it, or to the element whose end or beginning it is, that shows the same. */
function shownTwin(element: Element, spoken: string): Element | undefined {
  const letters = lettersOf(spoken);
  if (letters === "") return undefined;
  for (const side of ["prev", "next"] as const) {
    const other = elementBeside(element, side) ?? besideParent(element, side);
    if (other?.attribs["aria-hidden"] !== "true") continue;
    const shown = lettersOf(textContent(other, mostText));
    // A price may be read out in a sentence.
    if (shown === letters || (/\d/.test(shown) && letters.endsWith(shown)) || isShortFor(shown, letters)) return other;
  }
  return undefined;
}

/** The element next to the one that ends, or begins, with this element. */
function besideParent(element: Element, side: "prev" | "next"): Element | undefined {
  const { parent, [side]: beside } = element;
  const isOuter = beside === null || (isText(beside) && beside[side] === null && beside.data.trim() === "");
  // Without the text read out, a link would be lost.
  return isOuter && parent !== null && isElement(parent) && parent.name !== "a"
    ? elementBeside(parent, side)
    : undefined;
}

/** As `hrs` is short for `hours`: the same first letter, and the others in their order. */
function isShortFor(short: string, word: string): boolean {
  if (!/^\p{Ll}{1,5}$/u.test(short) || !/^\p{Ll}{2,20}$/u.test(word) || short[0] !== word[0]) return false;
  let at = 0;
  for (const letter of short) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const compact = (text: string): string => text.replace(/\s+/g, "");

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");
