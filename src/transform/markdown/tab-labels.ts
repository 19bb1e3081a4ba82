// Writes the label of a tab above its panel: a row of labels would not tell which panel belongs to which.

import type { Element } from "domhandler";
import { following, isElement, isWrittenText, textContent } from "../html/walk.ts";
import { filtersOnePanel, labelText, readTabs } from "../tab-sets.ts";
import type { MarkdownRule } from "./context.ts";
import { skip } from "./plain-rules.ts";

/** Adds rules for lists of tabs to `rules`. */
export function addTabRules(lists: readonly Element[], rules: Map<Element, MarkdownRule>): void {
  for (const list of lists) {
    if (filtersOnePanel(list)) {
      rules.set(list, skip);
      continue;
    }
    const tabs = readTabs(list).filter(({ label, panel }) => labelText(label) !== "" && hasText(panel));
    for (const { label, panel } of tabs) {
      rules.set(label, skip);
      const text = labelText(label);
      if (!beginsWith(panel, text)) rules.set(panel, labelled(text, rules.get(panel)));
    }
  }
}

/** Whether a panel begins with the text of its label. Code may merely begin with the same word: `npm install`. */
function beginsWith(panel: Element, text: string): boolean {
  const says = textContent(panel, 2 * text.length + 100).trimStart();
  if (!says.startsWith(text)) return false;
  for (let node = panel.children[0] ?? null; node !== null; node = following(node, panel, true)) {
    if (isElement(node) && codeElements.has(node.name)) return false;
    if (isWrittenText(node)) return true;
  }
  return true;
}

const codeElements = new Set(["pre", "code"]);

const hasText = (panel: Element): boolean => /\S/.test(textContent(panel, 1000));

function labelled(text: string, before: MarkdownRule | undefined): MarkdownRule {
  return (context, panel) => {
    const { overrides, run } = context;
    context.boundary();
    run.open("strong");
    run.text(text);
    run.close("strong");
    context.boundary();
    if (before === undefined) overrides.delete(panel);
    else overrides.set(panel, before);
    context.children({ children: [panel] });
  };
}
