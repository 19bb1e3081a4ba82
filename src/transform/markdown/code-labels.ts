// Leaves out what highlighters put around a code block: a label that repeats its language, buttons, line numbers. A
// file name or caption is content.

import type { ChildNode, Element, ParentNode, Text } from "domhandler";
import { elementBeside, isElement, isWrittenText, parentElement, walkNodes } from "../html/walk.ts";
import { writePreformatted } from "./code.ts";
import { languageOf } from "./code-language.ts";
import { isLanguage, languageNamed, sameLanguage } from "./code-languages.ts";
import { copyClass, gutterClass, isNumbers } from "./code-text.ts";
import type { MarkdownRule } from "./context.ts";
import { skip } from "./plain-rules.ts";

const labelClass =
  /(?:^|[\s_-])(?:(?:code-?)?lang(?:uage)?(?:-?(?:name|label|id|tag|text))?|toolbar-item|code-?header)(?:\s|$)/i;
const captionClass = /(?:^|[\s_-])(?:file-?name|file|title|caption|path)(?:$|[\s_-])/i;
const fileName = /\.\w{1,10}$|[/\\]/;
/** Elements that never merely describe a code block next to them. */
const content: ReadonlySet<string> = new Set(
  "pre code table h1 h2 h3 h4 h5 h6 ul ol dl blockquote textarea input img video iframe math".split(" "),
);
const frameNames: ReadonlySet<string> = new Set(["div", "figure", "section"]);
/** Of links above the code of a forum, which are no buttons. */
const controlWords = /^\[?(?:select all|copy(?: code| to clipboard)?|expand)\]?$/i;
const codeWord = /^(?:php |html )?code\s*:$/i;
const maxFrames = 3;
const maxChildren = 16;
const maxLabelNodes = 40;
const maxLabelLength = 60;
const maxWords = 3;

/** Adds rules that leave out what is next to code blocks without being content. */
export function addCodeLabelRules(blocks: readonly Element[], rules: Map<Element, MarkdownRule>): void {
  const labels = new CodeLabels(rules);
  for (const block of blocks) labels.readAround(block);
}

class CodeLabels {
  #rules: Map<Element, MarkdownRule>;
  /** Elements around blocks. If there is a second block in one of them, only what is right above it belongs to it. */
  #seen = new Set<Element>();

  constructor(rules: Map<Element, MarkdownRule>) {
    this.#rules = rules;
  }

  readAround(block: Element): void {
    let language: string | undefined;
    let inner = block;
    for (let depth = 0; depth < maxFrames; depth++) {
      const parent = parentElement(inner);
      if (parent === undefined) return;
      const labels = this.#seen.has(parent) ? undefined : labelsIn(parent, inner);
      this.#seen.add(parent);
      if (labels === undefined) {
        const above = elementBeside(inner, "prev");
        if (above !== undefined && labelClass.test(above.attribs["class"] ?? "") && isSmall(above)) {
          this.#read(above, block, languageOf(block));
        }
        return;
      }
      let isFrame = true;
      for (const label of labels) {
        language ??= languageOf(block);
        if (!this.#read(label, block, language)) isFrame = false;
      }
      if (!isFrame) return;
      inner = parent;
    }
  }

  /** False if the element contains more than a description of the block. */
  #read(label: Element, block: Element, language: string): boolean {
    if (isGutter(label)) {
      this.#rules.set(label, skip);
      return true;
    }
    const dropped: Text[] = [];
    const kept = new Set<ParentNode>();
    let named = "";
    let isLabel = true;
    // Buttons alone may be the result of the code.
    let isBar = false;
    walkNodes(label, (node) => {
      if (!isWrittenText(node)) return;
      const use = useOf(node as Text, label, language);
      if (use === "other") isLabel = false;
      else if (use === "caption") for (const element of chain(node, label)) kept.add(element);
      else dropped.push(node as Text);
      if (use === "language") named ||= (node as Text).data.trim();
      isBar ||= use === "language" || use === "copy";
    });
    if (!isLabel) return false;
    for (const text of isBar ? dropped : []) {
      const outermost = chain(text, label).findLast((element) => !kept.has(element));
      if (outermost !== undefined) this.#rules.set(outermost, skip);
    }
    if (language === "" && isLanguage(named)) {
      this.#rules.set(block, (context) => writePreformatted(context, block, languageNamed(named)));
    }
    return true;
  }
}

/** The elements next to `inner` in a wrapper that exists only for it; undefined for other parents. */
function labelsIn(parent: Element, inner: Element): Element[] | undefined {
  if (!frameNames.has(parent.name) && !parent.name.includes("-")) return undefined;
  if (parent.children.length > maxChildren) return undefined;
  const labels: Element[] = [];
  for (const child of parent.children) {
    if (child === inner) continue;
    if (isWrittenText(child)) return undefined;
    if (!isElement(child)) continue;
    if (isSmall(child) || isGutter(child)) labels.push(child);
    else if (child.name !== "figcaption") return undefined;
  }
  return labels;
}

function isSmall(element: Element): boolean {
  if (content.has(element.name)) return false;
  let nodes = 0;
  let length = 0;
  walkNodes(element, (node) => {
    nodes += isElement(node) && content.has(node.name) ? maxLabelNodes : 1;
    if (node.type === "text") length += (node as Text).data.trim().length;
    return nodes < maxLabelNodes;
  });
  return nodes < maxLabelNodes && length <= maxLabelLength;
}

const isGutter = (element: Element): boolean =>
  (element.attribs["aria-hidden"] === "true" || gutterClass.test(element.attribs["class"] ?? "")) && isNumbers(element);

type Use = "language" | "copy" | "button" | "caption" | "other";

/** The purpose of a text next to a block. */
function useOf(node: Text, label: Element, language: string): Use {
  const text = node.data.trim();
  const around = chain(node, label);
  const isFew = text.split(/\s+/).length <= maxWords;
  const isLabel = around.some(({ attribs }) => labelClass.test(attribs["class"] ?? ""));
  const isCaption = around.some(
    ({ name, attribs }) => name === "figcaption" || captionClass.test(attribs["class"] ?? ""),
  );
  if (isCaption && !isLabel) return "caption";
  if (sameLanguage(text, language)) return "language";
  if (around.some(({ attribs }) => copyClass.test(attribs["class"] ?? ""))) return isFew ? "copy" : "other";
  if (controlWords.test(text)) return "copy";
  if (codeWord.test(text)) return "caption";
  if (around.some(isButton)) return isFew && !isLanguage(text) ? "button" : "other";
  if (fileName.test(text)) return "caption";
  return isLabel && isFew ? "language" : "other";
}

const isButton = ({ name, attribs }: Element): boolean => name === "button" || attribs["role"] === "button";

/** The elements from the parent of a node to the label. */
function chain(node: ChildNode, label: Element): Element[] {
  const elements: Element[] = [];
  for (let around = parentElement(node); around !== undefined; around = parentElement(around)) {
    elements.push(around);
    if (around === label) break;
  }
  return elements;
}
