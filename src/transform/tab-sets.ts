// Tabs: which label belongs to which panel. In the markup, all panels follow each other, apart from their labels.

import type { Element, Text } from "domhandler";
import { classNamed } from "./html/class-names.ts";
import {
  isElement,
  isWrittenText,
  parentElement,
  siblingElement,
  textContent,
  walkElements,
  walkNodes,
} from "./html/walk.ts";
import { isNamedTabList, mayNameTabs, namedLabels, namedPanels } from "./named-tabs.ts";

interface Tab {
  readonly label: Element;
  readonly panel: Element;
}

/**
 * Most labels of a list, elements that are searched for its panels, and surrounding elements whose siblings may be the
 * panels.
 */
const maxTabs = 50;
/** Most characters of a label. */
const maxLabel = 200;
/** Most different texts in a label. */
const maxTexts = 2;
const maxWalked = 1000;
const reach = 3;

const labelLists = classNamed("tabbed-labels|tabs");
const tabSets = classNamed("(?:sd-)?tab-set");

/** Whether an element with these class names may contain the labels of tabs. */
export const mayHoldTabs = (className: string): boolean =>
  (className.includes("tab") && (labelLists.test(className) || tabSets.test(className))) || mayNameTabs(className);

/** Whether an element contains the labels of tabs. */
export function isTabList(element: Element): boolean {
  const { attribs, children } = element;
  if (attribs["role"] === "tablist") return true;
  const className = attribs["class"];
  if (className === undefined || !mayHoldTabs(className)) return false;
  return children.some(isLabel) || isNamedTabList(element);
}

/** The labels of a list whose panels are known. */
export function readTabs(list: Element): Tab[] {
  if (isNamedTabList(list)) return readNamedTabs(list);
  const labels = labelsOf(list);
  if (labels.length === 0 || labels.length > maxTabs) return [];
  if (labels.some(isCard)) return [];
  return tabSets.test(list.attribs["class"] ?? "") ? labels.flatMap(withNext) : pair(labels, panelsOf(list, labels));
}

/** Whether the tabs of a list only choose what a single panel shows: its rows of one kind. */
export function filtersOnePanel(list: Element): boolean {
  if (list.attribs["role"] !== "tablist") return false;
  const [first, ...others] = labelsOf(list);
  const target = first?.attribs["aria-controls"];
  return (
    target !== undefined && others.length > 0 && others.every(({ attribs }) => attribs["aria-controls"] === target)
  );
}

function readNamedTabs(list: Element): Tab[] {
  const labels = namedLabels(list);
  const targets = new Set(labels.flatMap((label) => [...targetsOf(label)]).filter(Boolean));
  const names = new Set(labels.flatMap(({ attribs: { id } }) => id || []));
  return pair(
    labels,
    namedPanels(list, labels, ({ attribs: { id, "aria-labelledby": name } }) => {
      return (id !== undefined && targets.has(id)) || (name !== undefined && names.has(name));
    }),
  );
}

const isLabel = (node: Element["children"][number]): boolean => isElement(node) && node.name === "label";

/** True for a label that contains more than a name. */
function isCard(label: Element): boolean {
  const texts = new Set<string>();
  walkNodes(label, (node) => {
    if (isWrittenText(node)) texts.add((node as Text).data.trim());
    return texts.size <= maxTexts;
  });
  return texts.size > maxTexts || textContent(label, maxLabel + 1).length > maxLabel;
}

function labelsOf(list: Element): Element[] {
  const labels: Element[] = [];
  walkElements(list, (element) => {
    const isTab = element.attribs["role"] === "tab" || (element.name === "label" && element.parent === list);
    if (isTab) labels.push(element);
    return !isTab;
  });
  return labels;
}

/** A label right before its panel. */
function withNext(label: Element): Tab[] {
  const panel = siblingElement(label, "next");
  return panel === undefined || isLabel(panel) ? [] : [{ label, panel }];
}

/** The panels after a list, among its siblings or those of a surrounding element. */
function panelsOf(list: Element, labels: readonly Element[]): Element[] {
  const panels: Element[] = [];
  const hasRoles = list.attribs["role"] === "tablist";
  let walked = 0;
  let around: Element = list;
  for (let level = 0; level < reach && panels.length === 0; level++) {
    let behind = siblingElement(around, "next");
    for (let step = 0; step <= labels.length && behind !== undefined && walked < maxWalked; step++) {
      if (behind.attribs["role"] === "tabpanel") panels.push(behind);
      else if (hasRoles) {
        walkElements(behind, (element) => {
          const isPanel = element.attribs["role"] === "tabpanel";
          if (isPanel) panels.push(element);
          return ++walked < maxWalked && !isPanel;
        });
      } else {
        const blocks = behind.children.filter(isElement);
        if (blocks.length === labels.length) return blocks;
      }
      behind = siblingElement(behind, "next");
    }
    const outer = parentElement(around);
    if (outer === undefined) break;
    around = outer;
  }
  return panels;
}

/** Pairs labels and panels by their references to each other, or, without any, by their order. */
function pair(labels: readonly Element[], panels: readonly Element[]): Tab[] {
  const tabs: Tab[] = [];
  for (const panel of panels) {
    const { id, "aria-labelledby": name } = panel.attribs;
    const label = labels.find(
      (one) => (id !== undefined && targetsOf(one).has(id)) || (name !== undefined && one.attribs["id"] === name),
    );
    if (label !== undefined) tabs.push({ label, panel });
  }
  if (tabs.length > 0 || labels.length !== panels.length) return tabs;
  return labels.map((label, index) => ({ label, panel: panels[index]! }));
}

/** The ids to which a label, or the link or button in it, refers. */
function targetsOf({ attribs, children }: Element): ReadonlySet<string> {
  const inner = children.filter(isElement);
  const all = inner.length === 1 ? [attribs, inner[0]!.attribs] : [attribs];
  const names = all.flatMap((one) => targetNames.map((name) => one[name]));
  return new Set(names.flatMap((name) => (name === undefined ? [] : [name.slice(name.indexOf("#") + 1)])));
}

/** Attributes of links and buttons that name the part of the page which they show, by its id. */
export const targetNames = ["aria-controls", "data-bs-target", "data-target", "href"];

/** The text of a label; some pages contain it twice, for wide and for narrow screens. */
export function labelText(label: Element): string {
  const text = textContent(label, maxLabel).replace(/\s+/g, " ").trim();
  return /^(.+) \1$/.exec(text)?.[1] ?? text;
}
