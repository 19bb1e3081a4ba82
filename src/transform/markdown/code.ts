// Code: spans, and fenced blocks with their language.

import type { Element, Text } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { closesParagraph } from "../html/elements.ts";
import {
  elementAround,
  elementBeside,
  isElement,
  isWrittenText,
  nextElement,
  parentElement,
  someElement,
  textContent,
} from "../html/walk.ts";
import { languageOf } from "./code-language.ts";
import { codeSpan, fencedCode } from "./code-marks.ts";
import { preformattedText } from "./code-text.ts";
import type { MarkdownContext } from "./context.ts";
import { isInPage } from "./link.ts";
import { keepsLines } from "./white-space.ts";

/**
 * `code`, `tt`, `samp`. What an outer one has looked for is not looked for again in those within it: that would take
 * time with the depth.
 */
export function writeCode(context: MarkdownContext, element: Element): void {
  const { memory } = context;
  if (memory.has(blank)) {
    context.children(element);
    return;
  }
  const known = memory.get(holders) as ReadonlySet<Element> | undefined;
  const holding = known ?? holdersOfBlocks(element);
  if (holding.has(element)) {
    memory.set(holders, holding);
    context.children(element);
    if (known === undefined) memory.delete(holders);
    return;
  }
  const isPreformatted = context.keepsLines || keepsLines(element) === true;
  const lines = isPreformatted || holdsLines(element) ? preformattedText(element, isPreformatted) : "";
  if (lines.includes("\n") && standsAlone(element)) {
    writeLines(context, lines, languageOf(element));
    return;
  }
  const source = textContent(element).replace(/[\u200b\ufeff\u00ad]/g, "");
  const text = (lines.includes("\n") ? lines : source).replace(/\s+/g, " ").trim();
  if (text === "") {
    memory.set(blank, true);
    context.children(element);
    memory.delete(blank);
    return;
  }
  if (/^\s/.test(source)) context.run.space();
  const href = context.run.inLink ? undefined : onlyLink(element)?.attribs["href"];
  const isLinked = href && !isInPage(href, context.options.pageUrls);
  if (isLinked) context.run.openLink(href, "");
  context.run.raw(codeSpan(text));
  if (isLinked) context.run.closeLink();
  if (/\s$/.test(source)) context.run.space();
}

/** The link that is all of a piece of code, as the names of types are in manuals. */
function onlyLink({ children }: Element): Element | undefined {
  if (children.length > mostBesideLink || children.some(isWrittenText)) return undefined;
  const elements = children.filter(isElement);
  return elements.length === 1 && elements[0]!.name === "a" ? elements[0] : undefined;
}

/** White space before and after it, and comments. */
const mostBesideLink = 5;

/** `pre`, with or without `code` in it. */
export function writePreformatted(context: MarkdownContext, element: Element, language?: string): void {
  const lines = linesFrom(element);
  if (lines.length === 0) return;
  // One within another is only written if the outer one has no text. To look again for what is known not to be there
  // would take time with the square of the depth.
  const isInner = elementAround(element, "pre") !== undefined;
  const code = isInner ? "" : lines.map((line) => preformattedText(line)).join("\n");
  if (code.trim() === "") {
    // There is no text: only pictures, or nothing.
    context.boundary();
    context.children(element);
    context.boundary();
  } else writeLines(context, code, language ?? languageOf(element));
}

const listingNote = classNamed("ttc");
/** Without what a listing shows of a name in it while the pointer is over the name. */
export const listingLines = ({ children }: Element): Element[] =>
  children.filter(isElement).filter(({ attribs }) => !listingNote.test(attribs["class"] ?? ""));

/** A listing with an element for each line; white space between them belongs to the layout of the HTML. */
export function writeListing(context: MarkdownContext, element: Element): void {
  const lines = listingLines(element).map((line) => preformattedText(line));
  writeLines(context, withoutMargin(lines).join("\n"), languageOf(element));
}

/** Without the space that separates each line from its number. */
export function withoutMargin(lines: readonly string[]): readonly string[] {
  const isParted = lines.every((line) => line === "" || line.startsWith(" "));
  return isParted ? lines.map((line) => line.slice(1)) : lines;
}

/** Some editors make each line a block of its own: the lines of the group that begins with this element. */
function linesFrom(element: Element): Element[] {
  if (!isLine(element)) return [element];
  const lines: Element[] = [];
  if (isLine(elementBeside(element, "prev"))) return lines;
  for (
    let line: Element | undefined = element;
    line !== undefined && isLine(line);
    line = elementBeside(line, "next")
  ) {
    lines.push(line);
  }
  return lines;
}

const isLine = (element: Element | undefined): boolean =>
  element?.name === "pre" && /(?:^|[\s_-])line(?:\s|$)/i.test(element.attribs["class"] ?? "");

export function writeLines(context: MarkdownContext, code: string, language: string): void {
  if (context.flat) {
    const lines = code.split("\n").filter((line) => line.trim() !== "");
    const margin = lines.reduce((least, line) => Math.min(least, indentation(line)), code.length);
    context.boundary();
    for (const line of lines) {
      context.run.raw(codeSpan(line.slice(margin)));
      context.boundary();
    }
  } else context.block(fencedCode(code, language));
}

const indentation = (line: string): number => line.length - line.trimStart().length;

/** In the memory: the elements within the outermost code that contain a block of their own. */
const holders = Symbol("holders of blocks");
/** In the memory while the content of a code without text is written. */
const blank = Symbol("blank code");

/** A `code` around the `pre` instead of in it, or around a whole table; with all that is between them. */
function holdersOfBlocks(code: Element): ReadonlySet<Element> {
  const found = new Set<Element>();
  for (let inner = nextElement(code, code); inner !== null; inner = nextElement(inner, code)) {
    if (inner.name !== "pre" && inner.name !== "table") continue;
    let around = parentElement(inner);
    while (around !== undefined && !found.has(around)) {
      found.add(around);
      around = around === code ? undefined : parentElement(around);
    }
  }
  return found;
}

/** True for code with line breaks as elements: line ends in the text may belong to the layout of the HTML. */
const holdsLines = (code: Element): boolean =>
  someElement(code, ({ name }) => name === "br" || closesParagraph.has(name));

/** Elements that do not separate code from the text around it. */
const transparent: ReadonlySet<string> = new Set("span font b strong i em u small big tt samp code nobr".split(" "));
/** Elements within a line, which cannot contain a block. */
const inLine: ReadonlySet<string> = new Set(
  "a h1 h2 h3 h4 h5 h6 summary dt label button sub sup q cite mark del ins abbr".split(" "),
);

/** True if there is nothing else in the lines of the block that contains the element. */
function standsAlone(element: Element): boolean {
  let node = element;
  for (;;) {
    if (!endsLine(node, "prev") || !endsLine(node, "next")) return false;
    const parent = parentElement(node);
    if (parent === undefined) return true;
    if (!transparent.has(parent.name)) return !inLine.has(parent.name);
    node = parent;
  }
}

/** True if the line ends, or begins, with the element. */
function endsLine(element: Element, side: "prev" | "next"): boolean {
  for (let node = element[side]; node !== null; node = node[side]) {
    if (!isElement(node)) {
      if ((node as Text).data.trim() !== "") return false;
    } else if (node.name === "br" || closesParagraph.has(node.name)) return true;
    else if (node.name === "img" || textContent(node, 1) !== "") return false;
  }
  return true;
}
