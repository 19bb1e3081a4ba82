// The blocks of Notion's pages, each of which is an element of its own: items without a list around them, and code.

import { Element } from "domhandler";
import { writePreformatted } from "./code.ts";
import type { MarkdownRule } from "./context.ts";
import { writeFurtherItems } from "./list.ts";

const block =
  /(?:^|\s)(?:notion-selectable notion-(?:(bulleted)|numbered)_list-block|line-numbers notion-code-block)(?:\s|$)/;

/** The rule for such a block. */
export function editorBlockRule(className: string): MarkdownRule | undefined {
  const found = block.exec(className);
  if (found === null) return undefined;
  if (found[0].includes("code")) return writePreformatted;
  return found[1] === undefined ? writeNumbered : writeBulleted;
}

/** Blocks that follow each other become one list. */
const writeAs =
  (name: "ul" | "ol"): MarkdownRule =>
  (context, { children }) =>
    writeFurtherItems(context, new Element(name, {}, [new Element("li", {}, children)]));

const writeBulleted = writeAs("ul");
const writeNumbered = writeAs("ol");
