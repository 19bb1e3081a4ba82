// Runs Turndown, with a caller's rules, over our tree, without parsing again.

import type { ChildNode, ParentNode, Text } from "domhandler";
import { RequestError } from "../../errors.ts";
import { insteadOf } from "../../shared/instead-of.ts";
import { isElement, walkElements } from "../html/walk.ts";
import { writeHtml, writeNode } from "../html/write-html.ts";
import { removedImage } from "./embedded-images.ts";

/** The part of a `TurndownService` that is used. */
export interface MarkdownConverter {
  turndown(node: never): string;
}

/** As {@link turndownMarkdown}, with a placeholder for pictures embedded as data. The tree is changed. */
export function turndownWithoutData(root: ParentNode, service: MarkdownConverter): string {
  walkElements(root, (element) => {
    if (element.name === "img" && /^data:/i.test(element.attribs["src"] ?? "")) element.attribs["src"] = removedImage;
  });
  // The angle brackets are added afterwards, because Turndown would escape them.
  return turndownMarkdown(root, service).replaceAll(`](${removedImage}`, `](<${removedImage}>`);
}

/**
 * The markdown of a tree, made by a Turndown service.
 *
 * @param root the tree; it is not changed
 * @param service the caller's, with its rules and plugins
 * @throws RequestError `UNSUPPORTED` if it gives no text
 *
 * @example
 * const service = new TurndownService({ headingStyle: "atx" });
 * service.addRule("mark", { filter: ["mark"], replacement: (content) => `==${content}==` });
 * turndownMarkdown(readHtml("<p>a <mark>b</mark></p>").document, service); // "a ==b=="
 */
export function turndownMarkdown(root: ParentNode, service: MarkdownConverter): string {
  const view = new View(root, null);
  // Turndown works on a copy; the view is one.
  view.cloneNode = () => view;
  const markdown: unknown = service.turndown(view as never);
  if (typeof markdown === "string") return markdown;
  throw new RequestError("UNSUPPORTED", `The engine's turndown must give a text, not ${insteadOf(markdown)}`);
}

/** The part of the DOM that Turndown and its rules use, over one node. */
class View {
  readonly nodeType: number;
  readonly nodeName: string;
  parentNode: View | null;
  previousSibling: View | null = null;
  nextSibling: View | null = null;
  childNodes: View[] = [];
  data = "";
  readonly #source: ChildNode | ParentNode;

  constructor(source: ChildNode | ParentNode, parent: View | null) {
    this.#source = source;
    this.parentNode = parent;
    const element = isElement(source);
    this.nodeType = element ? 1 : source.type === "text" ? 3 : source.type === "root" ? 11 : 8;
    this.nodeName = element ? source.name.toUpperCase() : source.type === "text" ? "#text" : "#document-fragment";
    if (source.type === "text") this.data = (source as Text).data;
    if (!("children" in source)) return;
    for (const child of source.children) {
      const view = new View(child, this);
      view.previousSibling = this.childNodes.at(-1) ?? null;
      if (view.previousSibling !== null) view.previousSibling.nextSibling = view;
      this.childNodes.push(view);
    }
  }

  cloneNode(deep = false): View {
    const copy = new View(this.#source, null);
    if (!deep) copy.childNodes = [];
    return copy;
  }

  get nodeValue(): string {
    return this.data;
  }

  get tagName(): string {
    return this.nodeName;
  }

  get firstChild(): View | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): View | null {
    return this.childNodes.at(-1) ?? null;
  }

  get children(): View[] {
    return this.childNodes.filter(({ nodeType }) => nodeType === 1);
  }

  get lastElementChild(): View | null {
    return this.children.at(-1) ?? null;
  }

  get textContent(): string {
    if (this.nodeType === 3) return this.data;
    let text = "";
    for (const child of this.childNodes) text += child.textContent;
    return text;
  }

  get className(): string {
    return this.getAttribute("class") ?? "";
  }

  get id(): string {
    return this.getAttribute("id") ?? "";
  }

  get outerHTML(): string {
    return this.#source.type === "root" ? writeHtml(this.#source) : writeNode(this.#source);
  }

  getAttribute(name: string): string | null {
    return (isElement(this.#source) && this.#source.attribs[name]) || null;
  }

  hasAttribute(name: string): boolean {
    return isElement(this.#source) && this.#source.attribs[name] !== undefined;
  }

  getElementsByTagName(name: string): View[] {
    const found: View[] = [];
    const wanted = name.toUpperCase();
    const look = (view: View) => {
      for (const child of view.childNodes) {
        if (child.nodeName === wanted) found.push(child);
        look(child);
      }
    };
    look(this);
    return found;
  }

  removeChild(child: View): View {
    const { previousSibling, nextSibling } = child;
    if (previousSibling !== null) previousSibling.nextSibling = nextSibling;
    if (nextSibling !== null) nextSibling.previousSibling = previousSibling;
    const index = this.childNodes.indexOf(child);
    if (index !== -1) this.childNodes.splice(index, 1);
    return child;
  }
}
