// Builds a domhandler tree from tags, with the repairs of the HTML standard that real pages need.
//
// It looks back a bounded way, keeps end tags inside their scope, splits misnested inline elements, and keeps the tree
// shallow: below `maxDepth` elements become siblings, as in browsers, so that nothing which walks the tree needs to fear
// its depth.

import { type ChildNode, Comment, Document, Element, type ParentNode, ProcessingInstruction, Text } from "domhandler";
import {
  closesParagraph,
  formattingElements,
  headElements,
  headingElements,
  htmlInForeign,
  impliedEnds,
  rawTextElements,
  scopeBarriers,
  tableParts,
  voidElements,
} from "./html-elements.ts";
import type { Attributes, TagHandler } from "./html-tokens.ts";
import { OpenElements } from "./open-elements.ts";

/** Elements deeper than this are attached to the element at this depth. Browsers do the same at 512. */
export const maxDepth = 500;
/** How many blocks a misnested inline element is carried through. */
const maxSplit = 8;

export class TreeBuilder implements TagHandler {
  readonly document: Document = new Document([]);
  /** Elements of the names asked for, in document order. */
  readonly named: Map<string, Element[]>;
  #selfClosing: boolean;
  #open = new OpenElements();
  #root: Element | undefined;
  #head: Element | undefined;
  #body: Element | undefined;
  #foreignDepth = 0;
  #lastText: Text | undefined;

  /**
   * @param options `names`: elements to list in {@link named}; `selfClosing`: the page is XHTML, where `<div/>` is empty
   */
  constructor(options: { names: readonly string[]; selfClosing: boolean }) {
    this.#selfClosing = options.selfClosing;
    this.named = new Map(options.names.map((name) => [name, []]));
  }

  comment(data: string): void {
    this.#attach(new Comment(data), this.#open.length);
  }

  knowsCdata(): boolean {
    return this.#foreignDepth > 0 || this.#selfClosing;
  }

  doctype(declaration: string): void {
    if (this.#root === undefined) this.#attach(new ProcessingInstruction("!doctype", `!${declaration}`), 0);
  }

  text(data: string): void {
    if (this.#lastText !== undefined) {
      this.#lastText.data += data;
      return;
    }
    const parent = this.#open.last;
    if (parent === undefined || parent === this.#root || (parent === this.#head && !/^\s*$/.test(data))) {
      if (/^\s*$/.test(data)) return;
      this.#openBody();
    }
    const text = new Text(data);
    this.#attach(text, this.#open.length);
    this.#lastText = text;
  }

  startTag(name: string, attributes: Attributes, selfClosing: boolean): void {
    if (name === "html" || name === "body" || name === "head") {
      this.#structureTag(name, attributes);
      return;
    }
    // In HTML the slash means nothing; only scripts would swallow the page if they waited for an end tag.
    const isClosed = selfClosing && (this.#selfClosing || this.#foreignDepth > 0 || rawTextElements.has(name));
    if (this.#foreignDepth > 0 && closesParagraph.has(name)) this.#leaveForeign();
    if (this.#foreignDepth === 0) {
      if (this.#open.length < 3) this.#openStructure(name);
      this.#impliedEndTags(name);
    }
    const element = this.#push(name, attributes);
    if (isClosed || voidElements.has(name)) this.#pop();
    else if (name === "svg" || name === "math") this.#foreignDepth++;
    this.#named(element);
  }

  #named(element: Element): void {
    this.named.get(element.name)?.push(element);
  }

  /** `html`, `head` and `body` exist once; a second start tag only adds attributes. */
  #structureTag(name: "html" | "head" | "body", attributes: Attributes): void {
    const before = { html: this.#root, head: this.#head, body: this.#body }[name];
    if (before !== undefined) {
      for (const [key, value] of Object.entries(attributes)) before.attribs[key] ??= value;
      return;
    }
    if (name === "html") this.#openRoot(attributes);
    else if (name === "body") this.#openBody(attributes);
    else if (this.#body === undefined) this.#openHead(attributes);
  }

  #openRoot(attributes: Attributes = {}): void {
    if (this.#root !== undefined) return;
    this.#root = this.#push("html", attributes);
    this.#named(this.#root);
  }

  #openHead(attributes: Attributes = {}): void {
    this.#openRoot();
    this.#head = this.#push("head", attributes);
  }

  #openBody(attributes: Attributes = {}): void {
    if (this.#body !== undefined) return;
    this.#openRoot();
    this.#popTo(1);
    this.#body = this.#push("body", attributes);
  }

  /** Before the body has begun: which of `head` and `body` the element belongs to. */
  #openStructure(name: string): void {
    if (this.#body !== undefined) return;
    const parent = this.#open.last;
    if (!headElements.has(name)) {
      if (parent === undefined || parent === this.#root || parent === this.#head) this.#openBody();
    } else if (parent === undefined || parent === this.#root) {
      if (this.#head === undefined) this.#openHead();
    }
  }

  /** An HTML block right inside a drawing or a formula: its end tag was forgotten. */
  #leaveForeign(): void {
    this.#popTo(
      this.#open.findBack((open) =>
        open === "svg" || open === "math" ? "found" : htmlInForeign.has(open) ? "stop" : "on",
      ),
    );
  }

  #impliedEndTags(name: string): void {
    if (closesParagraph.has(name) && this.#open.has("p")) this.#closeParagraph();
    // A link cannot hold a link, nor a heading a heading.
    if (name === "a" && this.#open.has("a")) this.endTag("a");
    if (headingElements.has(name) && headingElements.has(this.#open.last?.name ?? "")) this.#pop();
    const rule = impliedEnds.get(name);
    if (rule === undefined) return;
    let outermost = -1;
    let depth = this.#open.length;
    this.#open.findBack((open) => {
      depth--;
      // The outermost that is ended counts: a new row ends the cell and the row before.
      if (rule.ends.has(open)) outermost = depth;
      else if (rule.within.has(open)) return "stop";
      return "on";
    });
    this.#popTo(outermost);
  }

  #closeParagraph(): void {
    this.#popTo(
      this.#open.findBack((open) =>
        open === "p" ? "found" : open === "button" || scopeBarriers.has(open) ? "stop" : "on",
      ),
    );
  }

  endTag(name: string): void {
    // These two mean something without a start tag.
    if (name === "br" || (name === "p" && !this.#open.has("p"))) this.#emptyElement(name);
    // Content after `</body>` still belongs to the body.
    if (name === "body" || name === "html") return;
    if (name === "head") {
      if (this.#head !== undefined && this.#open.last === this.#head) this.#pop();
      return;
    }
    // Any heading's end tag ends the heading that is open.
    const isHeading = headingElements.has(name);
    if (!isHeading && !this.#open.has(name)) return;
    const at = this.#open.findBack((open) => {
      if (open === name || (isHeading && headingElements.has(open))) return "found";
      return open === "table" || (scopeBarriers.has(open) && !tableParts.has(name)) ? "stop" : "on";
    });
    if (formattingElements.has(name)) this.#endFormatting(at);
    else this.#popTo(at);
  }

  #emptyElement(name: string): void {
    this.startTag(name, {}, false);
    if (!voidElements.has(name)) this.#pop();
  }

  /** Ends an inline element; blocks opened inside it go on after it as copies of themselves. */
  #endFormatting(at: number): void {
    if (at === -1) return;
    const carried = this.#open.from(at + 1).filter((element) => closesParagraph.has(element.name));
    if (carried.length > maxSplit) return;
    this.#popTo(at);
    for (const element of carried) this.#push(element.name, { ...element.attribs });
  }

  #push(name: string, attributes: Attributes): Element {
    const element = new Element(name, attributes);
    this.#attach(element, this.#open.length);
    this.#open.push(element);
    return element;
  }

  #pop(): void {
    this.#lastText = undefined;
    const name = this.#open.pop()?.name;
    if (this.#foreignDepth > 0 && (name === "svg" || name === "math")) this.#foreignDepth--;
  }

  /** Ends the element at an index and all inside it; nothing for -1. */
  #popTo(index: number): void {
    if (index === -1) return;
    while (this.#open.length > index) this.#pop();
  }

  #attach(node: ChildNode, depth: number): void {
    this.#lastText = undefined;
    let parent: ParentNode = this.#open.at(depth - 1) ?? this.document;
    if (depth > maxDepth) {
      // Too deep: the element at the limit takes it, unless the innermost is still the last thing written (this keeps
      // the text of the innermost inside it, and the order as it was).
      const limit: Element = this.#open.at(maxDepth - 1)!;
      if (node instanceof Element || limit.children.at(-1) !== parent) parent = limit;
    }
    const previous = parent.children.at(-1);
    if (previous !== undefined) {
      previous.next = node;
      node.prev = previous;
    }
    node.parent = parent;
    (parent.children as ChildNode[]).push(node);
  }
}
