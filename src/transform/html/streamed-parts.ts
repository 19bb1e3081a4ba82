// Puts the parts of a page that a server sent after it where they belong.
//
// A server that renders with React sends what takes long behind the end of the page, hidden, and in its place a template
// with something that says that it is still to come. Short calls in scripts say which part belongs where.

import type { ChildNode, Comment, Element, ParentNode, Text } from "domhandler";
import type { HtmlPage } from "./read-html.ts";
import { following, isElement, isWrittenText, removeNodes, setChildren } from "./walk.ts";

/** Of a boundary with its stand-in (`C`, `R`), or of a place alone (`S`, where the part is named first). */
const placing = /\$R([CRS])\("([^"\\]{1,100})","([^"\\]{1,100})"/g;
/** Ids of places, and those of parts. */
const placeId = /(?:^|[^a-z])[BP]:[\da-f]{1,8}$/i;
const partId = /(?:^|[^a-z])S:[\da-f]{1,8}$/i;
/** A place deeper than this stays empty, so that the tree does not become much deeper than it was. */
const deepestPlace = 100;
/** Most nodes that stand in for a part. */
const mostStandIns = 1000;
const boundaryBegins = /^\$[?!~]?$/;
const boundaryEnds = "/$";

/** Elements of a text. */
const textElements: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 pre blockquote dl table tr figure hr".split(" "),
);
/** Most nodes beside a place that are looked at. */
const mostBeside = 50;

/**
 * Moves such parts in place of what stands in for them.
 *
 * @param options `onlyInText`: only those within a text, and what is in them. The other parts of a start page or shop
 * are sections apart, which are judged better where they are.
 */
export function placeStreamedParts(page: HtmlPage, { onlyInText }: { readonly onlyInText: boolean }): void {
  if (!page.listed("template").some(isPlace)) return;
  const { partOf, parts } = readParts(page.document);
  if (partOf.size === 0) return;
  const found = findPlaces(page.document, { partOf, parts, onlyInText });
  const parents = new Set<ParentNode>();
  for (const place of found.places.keys()) parents.add(place.parent!);
  // What is in a part was found after its place, and comes first, so that the part is complete when it is moved.
  for (const parent of [...parents].reverse()) {
    const children = parent.children.flatMap((child) => {
      if (found.standIns.has(child)) return [];
      return found.places.get(child as Element)?.children ?? [child];
    });
    setChildren(parent, children);
  }
  removeNodes(new Set<ChildNode>(found.places.values()));
}

const isPlace = ({ attribs: { id = "" } }: Element): boolean => placeId.test(id);

/** Which part belongs to which place, by id, and the elements of the parts. */
function readParts(document: ParentNode): { partOf: Map<string, string>; parts: Map<string, Element> } {
  const partOf = new Map<string, string>();
  const parts = new Map<string, Element>();
  let node: ChildNode | null = document.children[0] ?? null;
  for (; node !== null; node = following(node, document, true)) {
    if (!isElement(node)) continue;
    const { id = "" } = node.attribs;
    if (partId.test(id) && !parts.has(id)) parts.set(id, node);
    if (node.name !== "script") continue;
    for (const child of node.children) {
      const { data } = child as Text;
      if (child.type !== "text" || !data.includes("$R")) continue;
      for (const [, kind, first = "", second = ""] of data.matchAll(placing)) {
        const [place, part] = kind === "S" ? [second, first] : [first, second];
        if (!partOf.has(place)) partOf.set(place, part);
      }
    }
  }
  return { partOf, parts };
}

interface Places {
  /** The part of each. */
  readonly places: ReadonlyMap<Element, Element>;
  readonly standIns: ReadonlySet<ChildNode>;
}

/**
 * The places, each before those in its part. A part that comes before its place is not moved: what is in it has been
 * looked at as if it stayed there.
 */
function findPlaces(
  document: ParentNode,
  { partOf, parts, onlyInText }: ReturnType<typeof readParts> & { readonly onlyInText: boolean },
): Places {
  const places = new Map<Element, Element>();
  const standIns = new Set<ChildNode>();
  const moved = new Set<Element>();
  const passed = new Set<Element>();
  /** The page, and the parts within each other, each with where the walk through it has come to. */
  const walks: { root: ParentNode; depth: number; node: ChildNode | null }[] = [
    { root: document, depth: 0, node: document.children[0] ?? null },
  ];
  for (let walk = walks.at(-1); walk !== undefined; walk = walks.at(-1)) {
    const { root, node } = walk;
    if (node === null) {
      walks.pop();
      continue;
    }
    const isMoved = isElement(node) && moved.has(node);
    walk.node = following(node, root, !isMoved);
    if (!isElement(node) || isMoved) continue;
    const { id = "" } = node.attribs;
    if (parts.get(id) === node) passed.add(node);
    if (node.name !== "template") continue;
    const part = parts.get(partOf.get(id) ?? "");
    if (part === undefined || moved.has(part) || passed.has(part)) continue;
    const depth = walk.depth + depthIn(root, node);
    if (depth > deepestPlace || (onlyInText && root === document && !isInText(node))) continue;
    places.set(node, part);
    moved.add(part);
    for (const standIn of standInsOf(node)) standIns.add(standIn);
    walks.push({ root: part, depth, node: part.children[0] ?? null });
  }
  return { places, standIns };
}

/** Whether there are paragraphs and the like beside a place. */
function isInText(place: Element): boolean {
  for (const side of ["prev", "next"] as const) {
    let node = place[side];
    for (let steps = 0; node !== null && steps < mostBeside; steps++, node = node[side]) {
      if (isWrittenText(node) || (isElement(node) && textElements.has(node.name))) return true;
    }
  }
  return false;
}

function depthIn(root: ParentNode, element: Element): number {
  let depth = 0;
  for (let around = element.parent; around !== null && around !== root; around = around.parent) {
    if (++depth > deepestPlace) break;
  }
  return depth;
}

/** What follows up to the end of the boundary; nothing if there is none. */
function standInsOf(place: Element): ChildNode[] {
  const standIns: ChildNode[] = [];
  if (place.prev?.type !== "comment" || !boundaryBegins.test((place.prev as Comment).data)) return [];
  let open = 1;
  for (let node = place.next; node !== null && standIns.length < mostStandIns; node = node.next) {
    if (node.type === "comment") {
      const { data } = node as Comment;
      if (boundaryBegins.test(data)) open++;
      else if (data === boundaryEnds && --open === 0) return standIns;
    }
    standIns.push(node);
  }
  return [];
}
