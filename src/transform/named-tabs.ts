// Lists of tabs that only a class names: their labels are items, links or buttons, and their panels come after them.

import type { Element } from "domhandler";
import { isElement, isWrittenText, parentElement, someElement, textContent } from "./html/walk.ts";

/** A word for tabs, alone or with one for the bar that shows them. */
const name =
  /(?:^|[\s_a-z-])(?:tabs|tab-?list)(?:[_-]{0,2}(?:list|nav|controls|menu|toolbar|header|headers|labels|bar|links))?(?:\s|$)/i;
const panelName = /(?:^|[\s_-])(?:tab|pane|panel|content|tabpanel|tabcontent)(?:[\s_-]|$)/i;
const leastLabels = 2;
const mostLabels = 20;
/** In characters. */
const longestLabel = 60;
/** Most elements of a label, and most that are searched for a list's panels. */
const mostOfLabel = 12;
const mostWalked = 1000;
/** How many surrounding elements have siblings that may be the panels. */
const reach = 3;
const controls: ReadonlySet<string> = new Set(["a", "button"]);
const labelNames: ReadonlySet<string> = new Set(["li", "a", "button"]);

/** Whether an element with these class names may be such a list. */
export const mayNameTabs = (className: string): boolean => /tab/i.test(className) && name.test(className);

/** Whether an element is such a list: only labels, none of which leads to another page. */
export function isNamedTabList(list: Element): boolean {
  return mayNameTabs(list.attribs["class"] ?? "") && list.attribs["role"] !== "tablist" && namedLabels(list).length > 0;
}

/** The labels: of each item its link or button, or the item. None if anything else is in the list. */
export function namedLabels(list: Element): Element[] {
  const items = itemsOf(list);
  if (items.length < leastLabels || items.length > mostLabels) return [];
  const labels: Element[] = [];
  for (const item of items) {
    const label = labelOf(item);
    if (label === undefined) return [];
    labels.push(label);
  }
  return labels;
}

/** The items of a list, which may be in an element of their own. */
function itemsOf(list: Element): Element[] {
  const elements = childrenOf(list);
  const [only] = elements;
  return elements.length === 1 && (only!.name === "ul" || only!.name === "ol") ? childrenOf(only!) : elements;
}

/** None if there is text between them. */
const childrenOf = ({ children }: Element): Element[] =>
  children.length > 2 * mostLabels + 1 || children.some(isWrittenText) ? [] : children.filter(isElement);

function labelOf(item: Element): Element | undefined {
  if (!labelNames.has(item.name)) return undefined;
  let label = item;
  let elements = 0;
  const isTooLarge = someElement(item, (element) => {
    if (controls.has(element.name)) label = element;
    return ++elements > mostOfLabel;
  });
  if (isTooLarge || leadsElsewhere(label)) return undefined;
  const text = textContent(item, longestLabel * 4).trim();
  const isName = text !== "" && text.length <= longestLabel;
  return isName && textContent(label, longestLabel * 4).trim() === text ? label : undefined;
}

const leadsElsewhere = ({ attribs: { href } }: Element): boolean =>
  href !== undefined && !href.includes("#") && !/^javascript:/i.test(href);

/**
 * The panels of a list: those that `belongs` knows, or, after the list or an element around it, as many elements as there
 * are labels, if their names or the way they are shown tell that they are panels.
 */
export function namedPanels(
  list: Element,
  labels: readonly Element[],
  belongs: (element: Element) => boolean,
): Element[] {
  let walked = 0;
  let around = list;
  for (let level = 0; level < reach; level++) {
    const behind = elementsAfter(around, labels.length + 1);
    const known: Element[] = [];
    for (const element of behind) {
      const isKnown = (inner: Element): boolean => {
        if (belongs(inner)) known.push(inner);
        return ++walked > mostWalked;
      };
      if (!isKnown(element)) someElement(element, isKnown);
    }
    if (known.length > 0) return known;
    const named = behind.filter(({ attribs }) => panelName.test(attribs["class"] ?? ""));
    if (named.length === labels.length) return named;
    const inside = behind[0]?.children.filter(isElement) ?? [];
    const areAlone = inside.length === labels.length && !behind[0]!.children.some(isWrittenText);
    if (areAlone && !inside.some(isItem) && (isPanelHolder(behind[0]!) || showOne(inside))) return inside;
    const outer = parentElement(around);
    if (outer === undefined) break;
    around = outer;
  }
  return [];
}

const isPanelHolder = ({ attribs }: Element): boolean =>
  panelName.test(attribs["class"] ?? "") || holderName.test(attribs["class"] ?? "");

const holderName = /(?:^|[\s_a-z-])tabs?(?![a-z])/i;

/** Of panels one is shown, of cards that a choice filters all are. */
function showOne(elements: readonly Element[]): boolean {
  const hidden = elements.filter(
    ({ attribs }) => attribs["hidden"] !== undefined || hiddenStyle.test(attribs["style"] ?? ""),
  ).length;
  const marked = elements.filter(({ attribs }) => shownName.test(attribs["class"] ?? "")).length;
  return hidden > 0 || marked === 1;
}

const hiddenStyle = /(?:^|[;\s])display\s*:\s*none/i;
const shownName = /(?:^|[\s_-])(?:active|current|selected|show|shown|open|visible)(?:\s|$)/i;

const isItem = ({ name }: Element): boolean => name === "li";

function elementsAfter(element: Element, most: number): Element[] {
  const elements: Element[] = [];
  for (let node = element.next; node !== null && elements.length < most; node = node.next) {
    if (isElement(node)) elements.push(node);
  }
  return elements;
}
