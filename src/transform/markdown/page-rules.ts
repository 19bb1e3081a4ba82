// The rules for individual elements that depend on the whole page: footnotes, the labels of code blocks and tabs, and
// code of which each line is an element.

import type { Element, ParentNode, Text } from "domhandler";
import { nextElement } from "../html/walk.ts";
import { isTabList } from "../tab-sets.ts";
import { addCodeLabelRules } from "./code-labels.ts";
import type { MarkdownRule } from "./context.ts";
import { type FootnoteReference, footnoteRules, readFootnoteReference } from "./footnotes.ts";
import { addLineRules, isLineElement } from "./line-elements.ts";
import { isPlacedNote, type PlacedNote, placedNotes } from "./placed-notes.ts";
import { addTabRules } from "./tab-labels.ts";

/** Most lists of tabs on one page. */
const maxTabLists = 100;

interface PageRules {
  readonly rules: Map<Element, MarkdownRule>;
  /** What is written of texts of which a part is left out. */
  readonly texts: ReadonlyMap<Text, string>;
  /** Notes to be written below the page. */
  readonly notes: readonly PlacedNote[];
}

export function pageRules(root: ParentNode, pageUrls: readonly string[] | undefined): PageRules {
  const labels = new Map<string, number>();
  const blocks: Element[] = [];
  const noteElements: Element[] = [];
  const tabLists: Element[] = [];
  const lines: Element[] = [];
  const texts = new Map<Text, string>();
  const references: FootnoteReference[] = [];
  let position = 0;
  for (let element = nextElement(root, root); element !== null; element = nextElement(element, root)) {
    position++;
    if (element.name === "pre") blocks.push(element);
    else if (isPlacedNote(element)) noteElements.push(element);
    else if (tabLists.length < maxTabLists && isTabList(element)) tabLists.push(element);
    else if (isLineElement(element)) lines.push(element);
    const reference = readFootnoteReference(element, pageUrls, position);
    if (reference !== undefined) references.push(reference);
  }
  const rules = footnoteRules(root, references, pageUrls, labels, texts);
  const notes = placedNotes(noteElements, rules, labels);
  addCodeLabelRules(blocks, rules);
  addTabRules(tabLists, rules);
  addLineRules(lines, rules);
  return { rules, texts, notes };
}
