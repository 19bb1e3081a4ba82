// Code: spans, and fenced blocks with their language, without line numbers and copy buttons, indentation exact.

import type { ChildNode, Element, Text } from "domhandler";
import type { MarkdownContext } from "./markdown-context.ts";
import { isElement, textContent, walkNodes } from "./walk.ts";

/** Names of classes for columns or cells that hold line numbers. */
const gutter =
  /(?:^|[\s_-])(?:line-?no|line-?nos|line-?nums?|line-?numbers?|linenumber|gutter|ln-num|blob-num|hljs-ln-n|rouge-gutter|linenodiv)(?:$|[\s_-])|LineNr|-line-number/i;
const copyControl = /(?:^|[\s_-])(?:copy|copybtn|clipboard|copy-?button|btn-copy|code-copy)(?:$|[\s_-])/i;

/** Elements that make a line of their own inside preformatted text. */
const lineElements: ReadonlySet<string> = new Set(["div", "li", "p", "tr", "ol", "ul", "table", "tbody"]);

/** `code`, `tt`, `samp` */
export function writeCode(context: MarkdownContext, element: Element): void {
  const text = cleanCode(textContent(element)).replace(/\s+/g, " ");
  if (text.trim() === "") {
    context.children(element);
    return;
  }
  if (text.startsWith(" ")) context.run.space();
  context.run.raw(codeSpan(text.trim()));
  if (text.endsWith(" ")) context.run.space();
}

/** A code span whose back-ticks are more than any inside. */
export function codeSpan(text: string): string {
  const marks = "`".repeat(text.includes("`") ? longestRun(text, "`", 1) + 1 : 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** `pre`, with or without `code` in it. */
export function writePreformatted(context: MarkdownContext, element: Element): void {
  const code = preformattedText(element);
  if (code.trim() === "") {
    // Pictures or nothing.
    context.boundary();
    context.children(element);
    context.boundary();
    return;
  }
  if (context.flat) {
    context.boundary();
    for (const line of code.split("\n")) {
      if (line.trim() === "") continue;
      context.run.raw(codeSpan(line.trim()));
      context.boundary();
    }
    return;
  }
  context.block(fencedCode(code, languageOf(element)));
}

/** A fenced block; the fence is longer than any inside. */
export function fencedCode(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code, "`", 3) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The code in an element: its lines as they are shown, empty ones at both ends removed. */
export function preformattedText(element: Element): string {
  const writer = new CodeText();
  writer.add(element);
  return cleanCode(writer.text)
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+/, "")
    .trimEnd();
}

const cleanCode = (text: string): string => text.replace(/[\u200b\ufeff]/g, "").replaceAll("\u00a0", " ");

function longestRun(text: string, sign: string, atLeast: number): number {
  let longest = 0;
  let run = 0;
  for (const character of text) {
    run = character === sign ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest >= atLeast ? longest : 0;
}

class CodeText {
  text = "";

  add(element: Element): void {
    const separateLines = hasLineSpans(element);
    for (const child of element.children) {
      if (child.type === "text") this.text += (child as Text).data;
      else if (isElement(child)) this.#element(child, separateLines);
    }
  }

  #element(element: Element, isLine: boolean): void {
    if (isNoCode(element)) return;
    if (element.name === "br") {
      this.text += "\n";
      return;
    }
    if (!lineElements.has(element.name)) {
      this.add(element);
      if (isLine && !this.text.endsWith("\n")) this.text += "\n";
      return;
    }
    this.#newLine();
    const before = this.text.length;
    this.add(element);
    // A line without text is an empty line.
    if (this.text.length === before && element.name !== "table" && element.name !== "tbody") this.text += "\n";
    this.#newLine();
  }

  #newLine(): void {
    if (this.text !== "" && !this.text.endsWith("\n")) this.text += "\n";
  }
}

/** Lines as elements side by side, with no line end between them. */
function hasLineSpans(element: Element): boolean {
  let lines = 0;
  for (const child of element.children) {
    if (child.type === "text") {
      if ((child as Text).data.trim() !== "" || (child as Text).data.includes("\n")) return false;
    } else if (isElement(child) && /(?:^|\s|-)line(?:\s|$)/.test(child.attribs["class"] ?? "")) {
      if (child.name !== "span" && child.name !== "code") return false;
      if (endsInLine(child)) return false;
      lines++;
    }
  }
  return lines > 1;
}

const endsInLine = (element: Element): boolean => textContent(element).includes("\n");

/** Line numbers, copy buttons and the like. */
function isNoCode({ name, attribs, children }: Element): boolean {
  if (name === "button" || name === "script" || name === "style" || name === "svg") return true;
  const className = attribs["class"];
  if (className === undefined) return false;
  if (copyControl.test(className)) return true;
  return gutter.test(className) && children.every((child) => isNumber(child));
}

function isNumber(node: ChildNode): boolean {
  if (node.type === "text") return /^[\s\d.:|]*$/.test((node as Text).data);
  return !isElement(node) || /^[\s\d.:|]*$/.test(textContent(node, 100_000));
}

const languageClass =
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|brush:\s*|sourceCode\s+|code-block-|src-)[-:]?\s*([\w+#.-]+)/i;
const notALanguage =
  /^(?:none|text|txt|plain|plaintext|plain-text|nohighlight|no-highlight|default|undefined|auto|source|wrapper|code|block)$/i;

/** The language that a page names for a code block: on the block, inside it, or on the wrappers around it. */
export function languageOf(pre: Element): string {
  const inner: Element[] = [];
  walkNodes(pre, (node) => {
    if (isElement(node) && node.name === "code") inner.push(node);
    return inner.length === 0;
  });
  const around: Element[] = [];
  for (let node = pre.parent; node !== null && around.length < 3; node = node.parent) {
    if (!isElement(node) || node.name === "body") break;
    around.push(node);
  }
  for (const element of [...inner, pre, ...around]) {
    const language = languageIn(element);
    if (language !== undefined) return notALanguage.test(language) ? "" : language.toLowerCase();
  }
  return "";
}

function languageIn({ attribs }: Element): string | undefined {
  const named = attribs["data-lang"] ?? attribs["data-language"] ?? attribs["data-code-lang"] ?? attribs["lang-name"];
  if (named !== undefined && /^[\w+#.-]{1,30}$/.test(named)) return named;
  return languageClass.exec(attribs["class"] ?? "")?.[1];
}
