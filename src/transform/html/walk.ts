// Walks a tree without recursion, in document order.
//
// V8 discards the machine code of a function if no closure of it is left at a full collection. So code that runs for
// most nodes of a page is a function of the module, or a loop over `nextElement`, never a closure created per page.

import type { ChildNode, Element, ParentNode, Text } from "domhandler";

/** The answer of a visitor: `false` leaves the element's content out of the walk. */
// biome-ignore lint/suspicious/noConfusingVoidType: a visitor that always goes on need not say so.
type Visited = boolean | void;

export const isElement = (node: ChildNode | ParentNode): node is Element =>
  (node as Partial<Element>).attribs !== undefined;

/**
 * Calls `visit` for each node below `root`. The visitor may change what is inside the node it is given, but not the
 * places of that node and its siblings.
 */
export function walkNodes(root: ParentNode, visit: (node: ChildNode) => Visited): void {
  let node: ChildNode | null = root.children[0] ?? null;
  while (node !== null) node = following(node, root, visit(node) !== false);
}

/** The node after `node` in a walk below `root`; `enters` tells whether its children are visited. Null at the end. */
export function following(node: ChildNode, root: ParentNode, enters: boolean): ChildNode | null {
  const first = enters ? (node as Partial<ParentNode>).children?.[0] : undefined;
  if (first !== undefined) return first;
  for (let from: ChildNode | null = node; from !== null; from = from.parent as ChildNode | null) {
    if ((from as ParentNode) === root) return null;
    if (from.next !== null) return from.next;
  }
  return null;
}

/** {@link walkNodes} for elements only. */
export function walkElements(root: ParentNode, visit: (element: Element) => Visited): void {
  let node: ChildNode | null = root.children[0] ?? null;
  while (node !== null) node = following(node, root, !isElement(node) || visit(node) !== false);
}

/** The element after `from` in a walk over the elements below `root`; begin with `root` itself. Null at the end. */
export function nextElement(from: ParentNode, root: ParentNode): Element | null {
  let node = from === root ? (root.children[0] ?? null) : following(from as Element, root, true);
  while (node !== null && !isElement(node)) node = following(node, root, true);
  return node;
}

/** Whether an element below `root` passes the test; the search ends at the first that does. */
export function someElement(root: ParentNode, test: (element: Element) => boolean): boolean {
  for (let element = nextElement(root, root); element !== null; element = nextElement(element, root)) {
    if (test(element)) return true;
  }
  return false;
}

/** The element that a node is directly in. */
export function parentElement({ parent }: ChildNode): Element | undefined {
  return parent !== null && isElement(parent) ? parent : undefined;
}

/** The innermost element around another that has the name. */
export function elementAround({ parent }: Element, name: string): Element | undefined {
  for (let around = parent; around !== null; around = around.parent) {
    if (isElement(around) && around.name === name) return around;
  }
  return undefined;
}

/** True for text that is not only white space. */
export function isWrittenText(node: ChildNode | null): boolean {
  return node?.type === "text" && /\S/.test((node as Text).data);
}

/** The element before or after another in the same element, whatever text is between. */
export function siblingElement(element: Element, side: "prev" | "next"): Element | undefined {
  let node = element[side];
  while (node !== null && !isElement(node)) node = node[side];
  return node ?? undefined;
}

/** The element right beside another, with no text between. */
export function elementBeside(element: Element, side: "prev" | "next"): Element | undefined {
  let node = element[side];
  while (node !== null && !isElement(node)) {
    if ((node as Text).data.trim() !== "") return undefined;
    node = node[side];
  }
  return node ?? undefined;
}

/** Removes all children for which `unwanted` is true, in one pass over the parent; `facts` are for `unwanted`. */
export function removeChildren<Facts>(
  parent: ParentNode,
  unwanted: (child: ChildNode, facts: Facts) => boolean,
  facts: Facts,
): void {
  const children = parent.children as ChildNode[];
  // Most parents lose no child, so their children stay linked as they are.
  let kept = 0;
  while (kept < children.length && !unwanted(children[kept]!, facts)) kept++;
  if (kept === children.length) return;
  let previous: ChildNode | null = children[kept - 1] ?? null;
  let child = children[kept]!;
  child.parent = child.prev = child.next = null;
  for (let index = kept + 1; index < children.length; index++) {
    child = children[index]!;
    // Set before it is asked about, because a removed neighbour is no longer linked.
    child.prev = previous;
    if (unwanted(child, facts)) {
      child.parent = child.prev = child.next = null;
      continue;
    }
    if (previous !== null) previous.next = child;
    previous = child;
    children[kept++] = child;
  }
  if (previous !== null) previous.next = null;
  children.length = kept;
}

/** Replaces everything in an element. */
export function setChildren(parent: ParentNode, children: ChildNode[]): void {
  parent.children = children;
  for (const [index, child] of children.entries()) {
    child.parent = parent;
    child.prev = children[index - 1] ?? null;
    child.next = children[index + 1] ?? null;
  }
}

/** Removes nodes from the tree, in linear time even if they are many siblings. */
export function removeNodes(nodes: ReadonlySet<ChildNode>): void {
  const parents = new Set<ParentNode>();
  for (const node of nodes) if (node.parent !== null) parents.add(node.parent);
  for (const parent of parents) removeChildren(parent, isAmong, nodes);
}

const isAmong = (node: ChildNode, nodes: ReadonlySet<ChildNode>): boolean => nodes.has(node);

/** Number of characters of the text below a node, white space at the ends of text nodes not counted. */
export function textLength(root: ParentNode): number {
  let length = 0;
  for (let node = root.children[0] ?? null; node !== null; node = following(node, root, true)) {
    if (node.type === "text") length += (node as Text).data.trim().length;
  }
  return length;
}

/** The text directly in an element that contains nothing else: a title, a script. */
export function ownText({ children }: ParentNode): string {
  return children.map((child) => (child.type === "text" ? child.data : "")).join("");
}

/** The text below a node as in the source, up to `limit` characters. */
export function textContent(root: ParentNode, limit = Number.POSITIVE_INFINITY): string {
  let text = "";
  let node = root.children[0] ?? null;
  while (node !== null && text.length < limit) {
    if (node.type === "text") text += (node as Text).data;
    node = following(node, root, true);
  }
  return text.length > limit ? text.slice(0, limit) : text;
}
