// Limits how much of a page's declared data is read. What a page declares once is read; the limits stop what outgrows
// the page itself: things that are referred to again and again, and texts within texts.

import type { ChildNode, ParentNode, Text } from "domhandler";

export const maxProperties = 200;
export const maxTypes = 50;
const maxTextLength = 200_000;
export const maxNesting = 10;

/** Counts down what may still be read. */
export class Budget {
  /** All things are held in memory, and pass from thread to thread in one go. */
  items = 60_000;
  /** Cells of tables, for the same reason. */
  cells = 500_000;
  /** Values of properties; a thing that is referred to several times is read each time. */
  values: number;
  /** Nodes that are visited for texts; an element in another one is visited for the texts of both. */
  nodes: number;
  /** Characters of all texts together; a long text that is referred to many times is read each time. */
  characters: number;
  /** Something that the page declares was left out. */
  isCut = false;

  /** @param length of the page, in characters: no page contains more nodes than that */
  constructor(length: number) {
    this.values = 100_000 + Math.min(length, 900_000);
    this.nodes = 1_000_000 + 4 * length;
    this.characters = 5_000_000 + 2 * length;
  }

  /** The text; empty if it is too long, or if too much has been read already. A part would pass for the whole. */
  take(text: string): string {
    this.characters -= text.length;
    if (text.length <= maxTextLength && this.characters >= 0) return text;
    this.isCut = true;
    return "";
  }
}

/** The text below an element in one line; empty if it is longer than the limits. */
export function shortText(root: ParentNode, budget: Budget): string {
  let text = "";
  const open: ChildNode[] = [];
  const openInner = ({ children }: ParentNode) => {
    budget.nodes -= children.length;
    for (let index = children.length - 1; index >= 0; index--) open.push(children[index]!);
  };
  openInner(root);
  while (open.length > 0) {
    const node = open.pop()!;
    if (budget.nodes < 0 || text.length > maxTextLength) {
      budget.isCut = true;
      return "";
    }
    if (node.type === "text") text += (node as Text).data;
    else if ("children" in node && node.type !== "script" && node.type !== "style") openInner(node);
  }
  return budget.take(text).replace(/\s+/g, " ").trim();
}

/** `https://schema.org/Product`, `schema:Product` and `Product` are the same. */
export function localName(name: string): string {
  return name
    .slice(0, 500)
    .replace(/[/#]+$/, "")
    .replace(/^.*[/#:]/s, "");
}
