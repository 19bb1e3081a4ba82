// The text of a code block as its reader sees it: with exact lines and indentation, without the line numbers, copy
// buttons and labels that highlighters add.

import type { Element, Text } from "domhandler";
import { emptyList } from "../empty-list.ts";
import { isElement, parentElement, someElement, textContent, walkElements } from "../html/walk.ts";

/** Classes of columns and cells that hold line numbers. */
export const gutterClass =
  /(?:^|[\s_-])(?:line-?nos?|line-?nums?|line-?numbers?|gutter|ln-num|ln|lnt|blob-num|hljs-ln-n|linenodiv)(?:$|[\s_-])|LineNr|-line-number/i;
export const copyClass = /(?:^|[\s_-])(?:copy|copybtn|clipboard|copy-?button|btn-copy|code-copy)(?:$|[\s_-])/i;
const labelClass =
  /(?:^|[\s_-])(?:language-id|code-?lang(?:uage)?|lang-label|code-?header|code-?title|code__header|toolbar)(?:$|[\s_-])/i;
const notCode: ReadonlySet<string> = new Set(["button", "script", "style", "svg", "select", "input"]);

/** Elements that make a line of their own inside preformatted text. */
const lineElements: ReadonlySet<string> = new Set("div li p pre tr ol ul table tbody".split(" "));
/** Longest label above the code. */
const maxLabel = 40;
/** Most elements of a bar with buttons: each may have a picture of several. What is larger is not looked through. */
const mostInToolbar = 300;

/**
 * The code in an element; empty lines at both ends and spaces at the ends of lines are removed.
 *
 * @param isPreformatted false if white space is not part of the code, and lines end only with elements
 */
export function preformattedText(element: Element, isPreformatted = true): string {
  const writer = new CodeText(numberedLines(element), isPreformatted);
  writer.add(onlyBlock(element));
  return writer
    .toString()
    .replace(/[\u200b\ufeff]/g, "")
    .replaceAll("\u00a0", " ")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map(trimEnd)
    .join("\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

const trimEnd = (line: string): string => line.trimEnd();

/** White space around the only `pre` in a wrapper is not part of the code. */
function onlyBlock(element: Element): Element {
  if (element.name === "pre") return element;
  const blocks: Element[] = [];
  walkElements(element, (inner) => {
    if (inner.name === "pre") blocks.push(inner);
    return inner.name !== "pre";
  });
  return blocks.length === 1 ? blocks[0]! : element;
}

class CodeText {
  #parts: string[] = emptyList();
  #numbers: ReadonlySet<Element>;
  #isPreformatted: boolean;
  /** For elements that contain line numbers, the classes of their children that contain code. */
  #codeClasses = new Map<Element, ReadonlySet<string>>();

  constructor(numbers: ReadonlySet<Element>, isPreformatted: boolean) {
    this.#numbers = numbers;
    this.#isPreformatted = isPreformatted;
  }

  add(element: Element): void {
    // Style sheets write the plus and minus signs of a diff.
    const { "data-code-marker": marker, "data-type-marker": sign = marker, class: className } = element.attribs;
    if (sign !== undefined && sign.length === 1) this.#write(sign);
    else if (className?.startsWith("line ")) this.#write(signOf(element, className));
    const separateLines = hasLineSpans(element);
    for (const child of element.children) {
      if (child.type === "text") this.#text((child as Text).data);
      else if (isElement(child)) this.#element(child, separateLines);
    }
  }

  #text(data: string): void {
    if (this.#isPreformatted) return this.#write(data);
    const text = data.replace(/[ \t\r\n\f]+/g, " ");
    this.#write(this.#parts.length === 0 || this.#endsLine() ? text.replace(/^ /, "") : text);
  }

  #element(element: Element, isLine: boolean): void {
    if (this.#numbers.has(element)) return;
    if (isDecoration(element) || (isGutter(element) && !this.#isLineOfCode(element))) return;
    if (element.name === "br") {
      this.#write("\n");
      return;
    }
    if (!lineElements.has(element.name)) {
      this.add(element);
      if (isLine && !this.#endsLine()) this.#write("\n");
      return;
    }
    this.#newLine();
    this.add(element);
    // A line without text is an empty line.
    if (element.children.length === 0) this.#write("\n");
    this.#newLine();
  }

  /**
   * Lines of code may have the class of line numbers, so that styles can count them; lines of digits have it then, too.
   */
  #isLineOfCode(line: Element): boolean {
    const parent = parentElement(line);
    if (parent === undefined) return false;
    let classes = this.#codeClasses.get(parent);
    if (classes === undefined) {
      classes = new Set(
        parent.children.flatMap((child) =>
          isElement(child) && !isNumbers(child) ? [child.attribs["class"] ?? ""] : [],
        ),
      );
      this.#codeClasses.set(parent, classes);
    }
    return classes.has(line.attribs["class"] ?? "");
  }

  #newLine(): void {
    if (this.#parts.length > 0 && !this.#endsLine()) this.#write("\n");
  }

  #endsLine(): boolean {
    return this.#parts.at(-1)?.endsWith("\n") ?? false;
  }

  #write(text: string): void {
    if (text !== "") this.#parts.push(text);
  }

  toString(): string {
    return this.#parts.join("");
  }
}

/** The sign of a line that its class marks as added or removed, unless its text begins with it. */
function signOf(line: Element, className: string): string {
  const kind = changedLine.exec(className)?.[1];
  if (kind === undefined) return "";
  const sign = kind === "add" ? "+" : "-";
  return textContent(line, 1).startsWith(sign) ? "" : `${sign} `;
}

const changedLine = /\sdiff (add|remove)(?:\s|$)/;

/** Whether the lines are adjacent elements, without line ends between or in them. */
function hasLineSpans(element: Element): boolean {
  let lines = 0;
  for (const child of element.children) {
    if (child.type === "text") {
      if (/\S|\n/.test((child as Text).data)) return false;
    } else if (isElement(child) && /(?:^|\s|-|_)line(?:\s|$)/i.test(child.attribs["class"] ?? "")) {
      if ((child.name !== "span" && child.name !== "code") || textContent(child).includes("\n")) return false;
      lines++;
    } else return false;
  }
  return lines > 1;
}

/** A line number, or a column of them. */
const isGutter = (element: Element): boolean => gutterClass.test(element.attribs["class"] ?? "") && isNumbers(element);

/** Numbers that cannot be selected, copy buttons, the label above the code. */
function isDecoration(element: Element): boolean {
  const { name, attribs } = element;
  if (notCode.has(name)) return true;
  const { class: className, style } = attribs;
  if (style !== undefined && /user-select:\s*none/i.test(style) && isNumbers(element)) return true;
  // There are many tokens with short class names, and the shortest name below has two letters.
  if (className !== undefined && className.length > 1) {
    if (copyClass.test(className) || (labelClass.test(className) && isShort(element))) return true;
  }
  return lineElements.has(name) && isToolbar(element);
}

/** True for line numbers and the like, and for empty elements. */
export const isNumbers = (element: Element): boolean => /^[\s\d.:|]*$/.test(textContent(element));

const isShort = (element: Element): boolean => textContent(element, maxLabel + 1).trim().length <= maxLabel;

/** A bar with buttons above the code. */
function isToolbar(element: Element): boolean {
  let elements = 0;
  let hasButton = false;
  const isLarge = someElement(element, ({ name }) => {
    hasButton ||= name === "button";
    return ++elements > mostInToolbar;
  });
  return hasButton && !isLarge && isShort(element);
}

/** The first element of a line, if it is a number and more follows. */
function numberOf(line: Element): Element | undefined {
  const start = line.children.find((child) => isElement(child) || (child as Text).data.trim() !== "");
  if (start === undefined || !isElement(start) || line.children.length < 2) return undefined;
  return /^\s*\d{1,6}\s*$/.test(textContent(start, 20)) ? start : undefined;
}

/** Elements that number the lines of a block: the first of each line, if there are several that count up. */
function numberedLines(block: Element): Set<Element> {
  const numbers = new Set<Element>();
  const look = (element: Element): boolean => {
    if (numbers.size > 0) return false;
    const head = element.children.find(isElement);
    if (head === undefined || numberOf(head) === undefined) return true;
    const lines = element.children.filter(isElement);
    if (lines.length < 2) return true;
    const first: Element[] = [];
    for (const line of lines) {
      const number = numberOf(line);
      if (number === undefined) return true;
      if (first.length > 0 && Number(textContent(number, 20)) !== Number(textContent(first.at(-1)!, 20)) + 1)
        return true;
      first.push(number);
    }
    for (const number of first) numbers.add(number);
    return false;
  };
  if (look(block)) walkElements(block, look);
  return numbers;
}
