// Builds a domhandler tree from htmlparser2's tokens, with the repairs of the HTML standard that real pages need.
//
// htmlparser2's own parser looks through all open elements at every end tag and lets a stray `</div>` in a table cell
// close the page around the table. This one looks back a bounded way, keeps end tags inside their scope, splits
// misnested inline elements, and keeps the tree shallow: below `maxDepth` elements become siblings, as in browsers, so
// that nothing which walks the tree needs to fear its depth.

import { type ChildNode, Comment, Document, Element, type ParentNode, ProcessingInstruction, Text } from "domhandler";
import { decodeHTML, decodeHTMLAttribute } from "entities";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import {
  closesParagraph,
  commonNames,
  formattingElements,
  headElements,
  htmlInForeign,
  impliedEnds,
  rawTextElements,
  scopeBarriers,
  tableParts,
  voidElements,
} from "./html-elements.ts";

/** Elements deeper than this are attached to the element at this depth. Browsers do the same at 512. */
export const maxDepth = 500;
/** How far an end tag looks back for its start tag. */
const maxLookBack = 600;
/** How many blocks a misnested inline element is carried through. */
const maxSplit = 8;

export class TreeBuilder implements TokenizerCallbacks {
  readonly document: Document = new Document([]);
  /** Elements of the names asked for, in document order. */
  readonly named: Map<string, Element[]>;
  #html: string;
  #selfClosing: boolean;
  #tokenizer: Tokenizer;
  #stack: Element[] = [];
  #open = new Map<string, number>();
  #root: Element | undefined;
  #head: Element | undefined;
  #body: Element | undefined;
  #foreignDepth = 0;
  #lastText: Text | undefined;
  #tagName = "";
  #attributes: Record<string, string> = {};
  #attributeName = "";
  #attributeValue = "";

  /**
   * @param html the page
   * @param options `names`: elements to list in {@link named}; `selfClosing`: the page is XHTML, where `<div/>` is empty
   */
  constructor(html: string, options: { names: readonly string[]; selfClosing: boolean }) {
    this.#html = html;
    this.#selfClosing = options.selfClosing;
    this.named = new Map(options.names.map((name) => [name, []]));
    // Entities are decoded where there is an ampersand at all: this doubles the speed of the tokenizer.
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this);
  }

  build(): Document {
    this.#tokenizer.write(this.#html);
    this.#tokenizer.end();
    return this.document;
  }

  ontext(start: number, end: number): void {
    this.#text(this.#html.slice(start, end));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#name(start, end);
    this.#tagName = name === "image" ? "img" : name;
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#name(start, end);
    this.#attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.#html.slice(start, end);
  }

  onattribend(): void {
    const value = this.#attributeValue;
    const name = this.#attributeName;
    const attributes = this.#attributes;
    // The first of several counts. `constructor` and the like are there without being set.
    if (attributes[name] === undefined || !Object.hasOwn(attributes, name)) {
      attributes[name] = value.includes("&") ? decodeHTMLAttribute(value) : value;
    }
    this.#attributeValue = "";
  }

  onopentagend(end: number): void {
    this.#startTag(this.#tagName, this.#attributes, false);
    if (this.#tagName === "plaintext") {
      this.#tokenizer.pause();
      this.#text(this.#html.slice(end + 1));
    }
  }

  onselfclosingtag(): void {
    const closed = this.#selfClosing || this.#foreignDepth > 0 || rawTextElements.has(this.#tagName);
    this.#startTag(this.#tagName, this.#attributes, closed);
  }

  onclosetag(start: number, end: number): void {
    this.#endTag(this.#name(start, end));
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#attach(new Comment(this.#html.slice(start, end - offset)), this.#stack.length);
  }

  oncdata(start: number, end: number, offset: number): void {
    const data = this.#html.slice(start, end - offset);
    if (this.#foreignDepth > 0 || this.#selfClosing) this.#append(data);
    else this.#attach(new Comment(`[CDATA[${data}]]`), this.#stack.length);
  }

  ondeclaration(start: number, end: number): void {
    const data = this.#html.slice(start, end);
    if (this.#root === undefined && /^doctype\b/i.test(data)) {
      this.#attach(new ProcessingInstruction("!doctype", `!${data}`), 0);
    }
  }

  onprocessinginstruction(): void {}
  onattribentity(): void {}
  ontextentity(): void {}
  onend(): void {}

  /** The name of an element or an attribute, in lower case. */
  #name(start: number, end: number): string {
    const name = this.#html.slice(start, end);
    return commonNames.get(name) ?? name.toLowerCase();
  }

  #text(data: string): void {
    const parent = this.#stack.at(-1);
    const raw = parent !== undefined && rawTextElements.has(parent.name);
    this.#append(!raw && data.includes("&") ? decodeHTML(data) : data);
  }

  #append(data: string): void {
    if (this.#lastText !== undefined) {
      this.#lastText.data += data;
      return;
    }
    const parent = this.#stack.at(-1);
    if (parent === undefined || parent === this.#root || (parent === this.#head && !/^\s*$/.test(data))) {
      if (/^\s*$/.test(data)) return;
      this.#openBody();
    }
    const text = new Text(data);
    this.#attach(text, this.#stack.length);
    this.#lastText = text;
  }

  #startTag(name: string, attributes: Record<string, string>, selfClosed: boolean): void {
    if (name === "html" || name === "body" || name === "head") {
      this.#structureTag(name, attributes);
      return;
    }
    if (this.#foreignDepth > 0 && closesParagraph.has(name)) this.#leaveForeign();
    if (this.#foreignDepth === 0) {
      if (this.#stack.length < 3) this.#openStructure(name);
      this.#impliedEndTags(name);
    }
    const element = this.#push(name, attributes);
    if (selfClosed || voidElements.has(name)) this.#pop();
    else if (name === "svg" || name === "math") this.#foreignDepth++;
    this.#named(element);
  }

  #named(element: Element): void {
    this.named.get(element.name)?.push(element);
  }

  /** `html`, `head` and `body` exist once; a second start tag only adds attributes. */
  #structureTag(name: "html" | "head" | "body", attributes: Record<string, string>): void {
    const before = { html: this.#root, head: this.#head, body: this.#body }[name];
    if (before !== undefined) {
      for (const [key, value] of Object.entries(attributes)) before.attribs[key] ??= value;
      return;
    }
    if (name === "html") this.#openRoot(attributes);
    else if (name === "body") this.#openBody(attributes);
    else if (this.#body === undefined) this.#openHead(attributes);
  }

  #openRoot(attributes: Record<string, string> = {}): void {
    if (this.#root !== undefined) return;
    this.#root = this.#push("html", attributes);
    this.#named(this.#root);
  }

  #openHead(attributes: Record<string, string> = {}): void {
    this.#openRoot();
    this.#head = this.#push("head", attributes);
  }

  #openBody(attributes: Record<string, string> = {}): void {
    if (this.#body !== undefined) return;
    this.#openRoot();
    while (this.#stack.length > 1) this.#pop();
    this.#body = this.#push("body", attributes);
  }

  /** Before the body has begun: which of `head` and `body` the element belongs to. */
  #openStructure(name: string): void {
    if (this.#body !== undefined) return;
    const parent = this.#stack.at(-1);
    if (!headElements.has(name)) {
      if (parent === undefined || parent === this.#root || parent === this.#head) this.#openBody();
    } else if (parent === undefined || parent === this.#root) {
      if (this.#head === undefined) this.#openHead();
    }
  }

  /** An HTML block right inside a drawing or a formula: its end tag was forgotten. */
  #leaveForeign(): void {
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const open = this.#stack[index]!.name;
      if (htmlInForeign.has(open)) return;
      if (open !== "svg" && open !== "math") continue;
      this.#popTo(index);
      return;
    }
  }

  #impliedEndTags(name: string): void {
    if (closesParagraph.has(name)) this.#closeParagraph();
    if (name === "a") this.#endOpenLink();
    const rule = impliedEnds.get(name);
    if (rule === undefined) return;
    let at = -1;
    const lowest = Math.max(0, this.#stack.length - maxLookBack);
    for (let index = this.#stack.length - 1; index >= lowest; index--) {
      const open = this.#stack[index]!.name;
      // The outermost that is ended counts: a new row ends the cell and the row before.
      if (rule.ends.has(open)) at = index;
      else if (rule.within.has(open)) break;
    }
    if (at !== -1) this.#popTo(at);
  }

  #closeParagraph(): void {
    if (!this.#open.get("p")) return;
    const lowest = Math.max(0, this.#stack.length - maxLookBack);
    for (let index = this.#stack.length - 1; index >= lowest; index--) {
      const open = this.#stack[index]!.name;
      if (open === "p") this.#popTo(index);
      if (open === "p" || open === "button" || scopeBarriers.has(open)) return;
    }
  }

  /** A link cannot hold a link: the one that is open ends where the next begins. */
  #endOpenLink(): void {
    if (this.#open.get("a")) this.#endTag("a");
  }

  #endTag(name: string): void {
    // These two mean something without a start tag.
    if (name === "br" || (name === "p" && !this.#open.get("p"))) this.#startTag(name, {}, true);
    // Content after `</body>` still belongs to the body.
    if (name === "body" || name === "html") return;
    if (name === "head") {
      if (this.#stack.at(-1) === this.#head && this.#head !== undefined) this.#pop();
      return;
    }
    if (!this.#open.get(name)) return;
    const lowest = Math.max(0, this.#stack.length - maxLookBack);
    for (let index = this.#stack.length - 1; index >= lowest; index--) {
      const open = this.#stack[index]!.name;
      if (open === name) {
        if (formattingElements.has(name)) this.#endFormatting(index);
        else this.#popTo(index);
        return;
      }
      if (open === "table" || (scopeBarriers.has(open) && !tableParts.has(name))) return;
    }
  }

  /** Ends an inline element; blocks opened inside it go on after it as copies of themselves. */
  #endFormatting(at: number): void {
    const inner = this.#stack.slice(at + 1);
    const carried = inner.filter((element) => closesParagraph.has(element.name));
    if (carried.length > maxSplit) return;
    this.#popTo(at);
    for (const element of carried) this.#push(element.name, { ...element.attribs });
  }

  #push(name: string, attributes: Record<string, string>): Element {
    const element = new Element(name, attributes);
    this.#attach(element, this.#stack.length);
    this.#stack.push(element);
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    return element;
  }

  #pop(): void {
    const element = this.#stack.pop();
    this.#lastText = undefined;
    if (element === undefined) return;
    this.#open.set(element.name, this.#open.get(element.name)! - 1);
    if (this.#foreignDepth > 0 && (element.name === "svg" || element.name === "math")) this.#foreignDepth--;
  }

  #popTo(length: number): void {
    while (this.#stack.length > length) this.#pop();
  }

  #attach(node: ChildNode, depth: number): void {
    this.#lastText = undefined;
    let parent: ParentNode = this.#stack[depth - 1] ?? this.document;
    if (depth > maxDepth) {
      // Too deep: the element at the limit takes it, unless the innermost is still the last thing written (this keeps
      // the text of the innermost inside it, and the order as it was).
      const limit: Element = this.#stack[maxDepth - 1]!;
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
