// Lists: nested, numbered from their start, tight if their items are short.

import type { ChildNode, Element } from "domhandler";
import { closesParagraph } from "../html/elements.ts";
import { isElement, isWrittenText, parentElement } from "../html/walk.ts";
import type { Content, MarkdownContext } from "./context.ts";
import { holdsSections, isNumbered, startOf, wholeNumber } from "./list-kinds.ts";
import { writtenMarker } from "./list-markers.ts";
import { skip } from "./plain-rules.ts";
import { isDone, listsTasks, writeBox } from "./tasks.ts";

const lastList = Symbol("last list");

interface LastList {
  readonly container: object;
  readonly writes: number;
  readonly ordered: boolean;
  readonly alternate: boolean;
  /** The number that would follow its last item. */
  readonly next: number;
  readonly tight: boolean;
}

/** `ul`, `ol` and their old forms. */
export const writeList = (context: MarkdownContext, list: Element): void => writeItems(context, list, false);

/** Writes a list that goes on where the one right before it ends: a page may have a list for each item. */
export const writeFurtherItems = (context: MarkdownContext, list: Element): void => writeItems(context, list, true);

function writeItems(context: MarkdownContext, list: Element, goesOn: boolean): void {
  const { output } = context;
  if (context.flat) {
    writeFlatList(context, list);
    return;
  }
  if (holdsSections(list)) {
    for (const item of list.children) if (isElement(item)) context.children(item);
    return;
  }
  const ordered = isNumbered(list);
  const isParagraphBefore = !context.run.isEmpty;
  context.boundary();
  const before = context.memory.get(lastList) as LastList | undefined;
  const follows =
    before !== undefined &&
    before.container === output.container &&
    before.writes === output.writes &&
    before.ordered === ordered;
  // A list that is cut in pieces continues with the next number.
  const start = startOf(list);
  const continues = follows && (ordered && !(goesOn && start === undefined) ? start === before.next : goesOn);
  // Other consecutive lists would be read as one, so the second uses the other marker.
  const alternate = follows && before.alternate === continues;
  const items = new ItemWriter(context, list, ordered, alternate);
  if (continues) {
    items.tight = before.tight;
    items.number = before.next;
  } else items.isBelowText = items.tight = isInList(list) || (isParagraphBefore && isInItem(list));
  const { writes } = output;
  items.writeAll(list);
  if (output.writes === writes) return;
  const { number: next, tight } = items;
  context.memory.set(lastList, {
    container: output.container,
    writes: output.writes,
    ordered,
    alternate,
    next,
    tight,
  });
}

/** An item outside any list. */
export function writeItem(context: MarkdownContext, item: Element): void {
  if (context.flat) {
    context.boundary();
    context.children(item);
    context.boundary();
    return;
  }
  context.boundary();
  context.output.open("- ", "  ");
  context.children(item);
  context.boundary();
  context.output.close();
}

class ItemWriter {
  number: number;
  /** The next item begins without a blank line before it. */
  tight = false;
  /** The first item begins right below the text of the item around it. */
  isBelowText = false;
  #context: MarkdownContext;
  #ordered: boolean;
  #sign: string;
  #step: number;
  #indent = "";
  #first = true;
  /** What was written last is an item, not text beside the items. */
  #isInItem = false;
  readonly #listsTasks: boolean;
  /** The name of the lists right inside it whose items are its own, because it contains nothing else. */
  readonly #onlyLists: string | undefined;

  constructor(context: MarkdownContext, list: Element, ordered: boolean, alternate: boolean) {
    this.#context = context;
    this.#ordered = ordered;
    this.#listsTasks = listsTasks(list);
    this.#onlyLists = list.children.every((child) => isList(child, list.name)) ? list.name : undefined;
    this.#sign = ordered ? (alternate ? ")" : ".") : alternate ? "*" : "-";
    const reversed = list.attribs["reversed"] !== undefined;
    this.#step = reversed ? -1 : 1;
    this.number = wholeNumber(list.attribs["start"]) ?? (reversed ? countItems(list) : 1);
  }

  writeAll(parent: Element): void {
    for (const child of parent.children) {
      if (this.#isLine(child)) {
        // Text and the inline elements next to it are one item, because browsers show one line.
        if (child.prev === null || !this.#isLine(child.prev)) this.#writeLine(child);
      } else if (!isElement(child)) continue;
      else if (this.#context.overrides.has(child)) this.#setApart(child);
      else if (child.name === "li") this.#writeItem(child);
      else if (child.name === this.#onlyLists) this.writeAll(child);
      else if (child.name === "ul" || child.name === "ol") this.#continue(child, true);
      else if (!notShown.has(child.name) && hasItems(child)) this.writeAll(child);
      else if (this.#isInItem) this.#continue(child, false);
      else this.#write({ children: [child] });
    }
  }

  /** A note, say, which is no item. */
  #setApart(element: Element): void {
    const { output } = this.#context;
    const before = output.writes;
    this.#children({ children: [element] });
    if (output.writes !== before) this.tight = false;
  }

  /** Whether a child of a list is text, or an inline element. */
  #isLine(node: ChildNode): boolean {
    if (!isElement(node)) return node.type === "text";
    return (
      !closesParagraph.has(node.name) &&
      !this.#context.overrides.has(node) &&
      !notShown.has(node.name) &&
      !hasItems(node)
    );
  }

  /** Writes one line, from its first node on. Elements without text between them are separate items. */
  #writeLine(first: ChildNode): void {
    const line: ChildNode[] = [];
    for (let node: ChildNode | null = first; node !== null && this.#isLine(node); node = node.next) line.push(node);
    if (line.some(isWrittenText)) this.#write({ children: line });
    else for (const element of line.filter(isElement)) this.#write({ children: [element] });
  }

  #writeItem(item: Element): void {
    const value = wholeNumber(item.attribs["value"]);
    const marker = takeMarker(this.#context, item, this.#ordered ? (value ?? this.number) : undefined);
    this.#write(item, marker ?? value, item);
  }

  #write(content: Content, value?: number, item?: Element): void {
    const { output } = this.#context;
    if (value !== undefined) this.number = value;
    // Right below a text, CommonMark allows a numbered list only if it starts at 1.
    if (this.#first && this.isBelowText && this.#ordered && this.number !== 1) this.tight = false;
    const marker = this.#ordered ? `${Math.max(0, this.number) % 1_000_000_000}${this.#sign} ` : `${this.#sign} `;
    const indent = " ".repeat(marker.length);
    const before = output.writes;
    const blankLines = output.blankLines + (this.tight ? 0 : 1);
    output.open(marker, indent, this.tight);
    if (this.#listsTasks && item !== undefined) writeBox(this.#context, isDone(item));
    this.#children(content);
    output.close();
    if (output.writes === before) return;
    this.#first = false;
    this.#isInItem = item !== undefined;
    this.#indent = indent;
    // An item with several blocks is separated from the next by a blank line.
    this.tight = output.blankLines <= blankLines;
    this.number += this.#step;
  }

  /** A list right inside a list belongs to the item before it, and so does a block, which browsers do not number. */
  #continue(block: Element, isList: boolean): void {
    const { output } = this.#context;
    if (this.#first) {
      this.#write({ children: [block] });
      return;
    }
    const before = output.writes;
    output.open(this.#indent, this.#indent);
    this.#children({ children: [block] });
    output.close();
    if (!isList && output.writes !== before) this.tight = false;
  }

  #children(content: Content): void {
    this.#context.children(content);
    this.#context.boundary();
  }
}

/** Leaves out the marker that an item has in its text, and returns the number in it. */
function takeMarker(context: MarkdownContext, item: Element, next: number | undefined): number | undefined {
  const marker = writtenMarker(item, next);
  if (marker !== undefined) context.overrides.set(marker.element, skip);
  return marker?.number;
}

/** Writes the items in one line, each with its mark. */
function writeFlatList(context: MarkdownContext, list: Element): void {
  let number = wholeNumber(list.attribs["start"]) ?? 1;
  context.boundary();
  for (const child of list.children) {
    if (isElement(child) && child.name === "li") {
      number = takeMarker(context, child, list.name === "ol" ? number : undefined) ?? number;
      context.run.marker(list.name === "ol" ? `${number++}.` : "-");
      context.children(child);
    } else context.children({ children: [child] });
    context.boundary();
  }
  context.run.marker("");
}

const notShown: ReadonlySet<string> = new Set(["script", "template"]);

const isInItem = (list: Element): boolean => parentElement(list)?.name === "li";

const isInList = (list: Element): boolean => /^[uo]l$/.test(parentElement(list)?.name ?? "");

/** Whether a node is a list of this name, or nothing that is shown. */
const isList = (node: ChildNode, name: string): boolean =>
  isElement(node) ? node.name === name : !isWrittenText(node);

function hasItems(element: Element): boolean {
  return element.children.some((child) => isElement(child) && child.name === "li");
}

const countItems = (list: Element): number =>
  list.children.filter((child) => isElement(child) && child.name === "li").length;
