// Builds a domhandler tree from tags, with the repairs of the HTML standard that real pages need.
//
// It looks back only a limited way, keeps end tags within their scope, splits misnested inline elements, and keeps the
// tree shallow: below `maxDepth`, elements become siblings, as in browsers, so that nothing that walks the tree has to
// consider its depth.

import { type ChildNode, Comment, Document, Element, type ParentNode, ProcessingInstruction, Text } from "domhandler";
import { emptyList } from "../empty-list.ts";
import { TakesLong } from "../takes-long.ts";
import { ChildLists } from "./child-lists.ts";
import {
  CELL,
  CLOSES_PARAGRAPH,
  type ElementKind,
  ElementKinds,
  ENDS_FOREIGN,
  FOREIGN,
  FORMATTING,
  HEADING,
  HOLDS_TEXT,
  HTML_IN_FOREIGN,
  IN_HEAD,
  ROW_PARENT,
  SCOPE_BARRIER,
  STRUCTURE,
  TABLE_PART,
  VOID,
} from "./element-kinds.ts";
import { type ImpliedEnds, listBarriers } from "./elements.ts";
import { OpenElements } from "./open-elements.ts";
import type { Attributes, TagHandler } from "./tokens.ts";

/** Elements deeper than this are attached to the element at this depth. Browsers do the same at 512. */
const maxDepth = 500;
/** Through how many blocks a misnested inline element is continued. */
const maxSplit = 8;

/** The children of an open element. */
const noChildren: readonly ChildNode[] = emptyList<ChildNode>();

export class TreeBuilder implements TagHandler {
  readonly document: Document = new Document(emptyList());
  readonly #kinds: ElementKinds;
  readonly #paragraph: ElementKind;
  readonly #link: ElementKind;
  readonly #selfClosing: boolean;
  readonly #open = new OpenElements();
  readonly #children = new ChildLists();
  #root: Element | undefined;
  #head: Element | undefined;
  #body: Element | undefined;
  #foreignDepth = 0;
  readonly #mostElements: number;
  #elements = 0;
  #lastText: Text | undefined;

  /**
   * @param options `names`: elements to list; `selfClosing`: the page is XHTML, where `<div/>` is empty; `mostElements`:
   * with more of them it throws {@link TakesLong}
   */
  constructor(options: { names: readonly string[]; selfClosing: boolean; mostElements: number }) {
    this.#selfClosing = options.selfClosing;
    this.#mostElements = options.mostElements;
    this.#kinds = new ElementKinds(options.names);
    this.#paragraph = this.#kinds.of("p");
    this.#link = this.#kinds.of("a");
  }

  /** Nothing more comes. */
  end(): void {
    this.#popTo(0);
    this.document.children = this.#children.end();
  }

  /** The elements with one of the listed names, in document order. */
  listed(name: string): readonly Element[] {
    return this.#kinds.of(name).listed ?? [];
  }

  comment(data: string): void {
    this.#attach(new Comment(data));
  }

  knowsCdata(): boolean {
    return this.#foreignDepth > 0 || this.#selfClosing;
  }

  doctype(declaration: string): void {
    if (this.#root === undefined) this.#attach(new ProcessingInstruction("!doctype", `!${declaration}`));
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
    this.#attach(text);
    this.#lastText = text;
  }

  startTag(name: string, attributes: Attributes, selfClosing: boolean): void {
    // A drawing has pictures of this name; in HTML it is an old one for another.
    const kind = this.#kinds.of(name === "image" && this.#foreignDepth === 0 ? "img" : name);
    const { traits } = kind;
    if ((traits & STRUCTURE) !== 0) {
      this.#structureTag(name as "html" | "head" | "body", attributes);
      return;
    }
    if (this.#foreignDepth > 0 && (traits & ENDS_FOREIGN) !== 0) this.#leaveForeign();
    // The slash has no meaning for elements of HTML; but a script or a text field that waited for an end tag would
    // swallow the page.
    const mayClose = this.#selfClosing || this.#foreignDepth > 0 || (traits & (FOREIGN | HOLDS_TEXT)) !== 0;
    const isClosed = selfClosing && mayClose;
    if (this.#foreignDepth === 0) {
      if (this.#open.length < 3) this.#openStructure(kind);
      this.#impliedEndTags(kind);
    }
    const element = this.#push(kind, attributes);
    if ((traits & FOREIGN) !== 0) this.#foreignDepth++;
    if (isClosed || (traits & VOID) !== 0) this.#pop();
    kind.listed?.push(element);
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
    const kind = this.#kinds.of("html");
    this.#root = this.#push(kind, attributes);
    kind.listed?.push(this.#root);
  }

  #openHead(attributes: Attributes = {}): void {
    this.#openRoot();
    this.#head = this.#push(this.#kinds.of("head"), attributes);
  }

  #openBody(attributes: Attributes = {}): void {
    if (this.#body !== undefined) return;
    this.#openRoot();
    this.#popTo(1);
    this.#body = this.#push(this.#kinds.of("body"), attributes);
  }

  /** Before the body has begun, opens `head` or `body`, whichever the element belongs to. */
  #openStructure(kind: ElementKind): void {
    if (this.#body !== undefined) return;
    const parent = this.#open.last;
    if ((kind.traits & IN_HEAD) === 0) {
      if (parent === undefined || parent === this.#root || parent === this.#head) this.#openBody();
    } else if (parent === undefined || parent === this.#root) {
      if (this.#head === undefined) this.#openHead();
    }
  }

  /** A block or the like directly in a drawing or formula means that the end tag of that was forgotten. */
  #leaveForeign(): void {
    let outermost = -1;
    let depth = this.#open.length;
    this.#open.findBack(({ traits }) => {
      depth--;
      if ((traits & FOREIGN) !== 0) outermost = depth;
      return (traits & HTML_IN_FOREIGN) !== 0 ? "stop" : "on";
    });
    this.#popTo(outermost);
  }

  #impliedEndTags({ name, traits, impliedEnds }: ElementKind): void {
    if ((traits & CLOSES_PARAGRAPH) !== 0 && this.#paragraph.open > 0) this.#closeParagraph(name !== "p");
    // A link cannot contain a link, nor a heading a heading.
    if (name === "a" && this.#link.open > 0) this.endTag("a");
    if ((traits & HEADING) !== 0 && ((this.#open.lastKind?.traits ?? 0) & HEADING) !== 0) this.#pop();
    if (impliedEnds !== undefined) this.#endImplied(impliedEnds);
    if ((traits & CELL) !== 0 && ((this.#open.lastKind?.traits ?? 0) & ROW_PARENT) !== 0) {
      this.#push(this.#kinds.of("tr"), {});
    }
  }

  #endImplied(impliedEnds: ImpliedEnds): void {
    let outermost = -1;
    let depth = this.#open.length;
    this.#open.findBack((open) => {
      depth--;
      // The outermost element that is ended counts: a new row ends the previous cell and row.
      if (impliedEnds.ends.has(open.name)) outermost = depth;
      else if (impliedEnds.within.has(open.name)) return "stop";
      return "on";
    });
    this.#popTo(outermost);
  }

  /** @param keepsLink a link that is open in the paragraph goes on around what comes next */
  #closeParagraph(keepsLink: boolean): void {
    const at = this.#open.findBack(({ name, traits }) =>
      name === "p" ? "found" : name === "button" || (traits & SCOPE_BARRIER) !== 0 ? "stop" : "on",
    );
    if (at === -1) return;
    const link = keepsLink && this.#link.open > 0 ? this.#open.from(at + 1).find(isLink) : undefined;
    this.#popTo(at);
    if (link !== undefined) this.#link.listed?.push(this.#push(this.#link, { ...link.attribs }));
  }

  endTag(name: string): void {
    const last = this.#open.lastKind;
    // This is nearly always the case.
    if (last?.name === name && (last.traits & STRUCTURE) === 0) {
      this.#pop();
      return;
    }
    this.#endOther(name);
  }

  /** A separate method, because the closures that look back are created for each call. */
  #endOther(name: string): void {
    const kind = this.#kinds.of(name);
    // These two have a meaning even without a start tag.
    if (name === "br" || (name === "p" && kind.open === 0)) this.#emptyElement(name);
    // Content after `</body>` still belongs to the body.
    if (name === "body" || name === "html") return;
    if (name === "head") {
      if (this.#head !== undefined && this.#open.last === this.#head) this.#pop();
      return;
    }
    // Any heading's end tag ends the heading that is open.
    const headings = kind.traits & HEADING;
    if (headings === 0 && kind.open === 0) return;
    const isTablePart = (kind.traits & TABLE_PART) !== 0;
    const isItem = name === "li";
    const at = this.#open.findBack((open) => {
      if (open === kind || (open.traits & headings) !== 0) return "found";
      if (isItem && listBarriers.has(open.name)) return "stop";
      return open.name === "table" || ((open.traits & SCOPE_BARRIER) !== 0 && !isTablePart) ? "stop" : "on";
    });
    if ((kind.traits & FORMATTING) !== 0) this.#endFormatting(at);
    else this.#popTo(at);
  }

  #emptyElement(name: string): void {
    this.startTag(name, {}, false);
    if ((this.#kinds.of(name).traits & VOID) === 0) this.#pop();
  }

  /** Ends an inline element; blocks opened inside it continue after it as copies. */
  #endFormatting(at: number): void {
    if (at === -1) return;
    if (at === this.#open.length - 1) return this.#pop();
    const carried = this.#open
      .from(at + 1)
      .filter(({ name }) => (this.#kinds.of(name).traits & CLOSES_PARAGRAPH) !== 0);
    if (carried.length > maxSplit || (carried.length > 0 && isTarget(this.#open.at(at)!))) return;
    this.#popTo(at);
    for (const { name, attribs } of carried) this.#push(this.#kinds.of(name), { ...attribs });
  }

  #push(kind: ElementKind, attributes: Attributes): Element {
    if (++this.#elements > this.#mostElements) throw new TakesLong();
    const element = new Element(kind.name, attributes, noChildren as ChildNode[]);
    this.#attach(element);
    this.#open.push(element, kind);
    if (this.#open.length <= maxDepth) this.#children.begin();
    // Too deep to get a list when it ends.
    else element.children = emptyList();
    return element;
  }

  #pop(): void {
    this.#lastText = undefined;
    const element = this.#open.last;
    if (element === undefined) return;
    if (this.#open.length <= maxDepth) element.children = this.#children.end();
    const { traits } = this.#open.pop();
    if ((traits & FOREIGN) !== 0) this.#foreignDepth--;
  }

  /** Ends the element at an index, and all inside it; does nothing for -1. */
  #popTo(index: number): void {
    if (index === -1) return;
    while (this.#open.length > index) this.#pop();
  }

  /** Makes the node the last child of the innermost element. */
  #attach(node: ChildNode): void {
    this.#lastText = undefined;
    const innermost = this.#open.last;
    const last = this.#children.last;
    if (innermost === undefined || this.#open.length <= maxDepth) {
      link(node, innermost ?? this.document, last);
    } else if (node instanceof Element || last !== innermost) {
      // Too deep: the node is added to the element at the limit, unless the innermost element is still the last thing
      // written (so that the text of the innermost stays inside it, and the order is kept).
      link(node, this.#open.at(maxDepth - 1)!, last);
    } else {
      link(node, innermost, innermost.lastChild);
      innermost.children.push(node);
      return;
    }
    this.#children.add(node);
  }
}

const isLink = ({ name, attribs }: Element): boolean => name === "a" && attribs["href"] !== undefined;

/** A link that leads nowhere shows nothing, so it may go on: a paragraph that is split becomes two. */
const isTarget = ({ name, attribs }: Element): boolean => name === "a" && attribs["href"] === undefined;

function link(node: ChildNode, parent: ParentNode, previous: ChildNode | null): void {
  if (previous !== null) {
    previous.next = node;
    node.prev = previous;
  }
  node.parent = parent;
}
