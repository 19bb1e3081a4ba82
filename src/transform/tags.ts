// `includeTags` and `excludeTags`: keeps or removes what a caller's CSS selectors match, in document order.

import { type Document, Element } from "domhandler";
import type { Steps } from "../shared/turn.ts";
import { elementAround, isElement, removeChildren, removeNodes, setChildren, walkNodes } from "./html/walk.ts";

interface TagSelection {
  readonly includeTags?: readonly string[] | undefined;
  readonly excludeTags?: readonly string[] | undefined;
}

const present = (selectors: readonly string[] | undefined): string[] =>
  (selectors ?? []).map((selector) => selector.trim()).filter((selector) => selector !== "");

/** True if the list contains a selector; blank entries are ignored, as in the service. */
export const hasSelectors = (selectors: readonly string[] | undefined): boolean => present(selectors).length > 0;

/** Reduces a page's tree to what a caller's selectors want of it. */
export type TagFilter = (document: Document) => Steps<void>;

/**
 * Makes the filter of both lists. It is for a page as it was parsed, so that `:nth-child` and the like count what the
 * author wrote.
 *
 * `includeTags` leaves only what matches, each element once and in document order; of nested matches the outermost is
 * kept whole. Without a match the body is empty. `excludeTags` removes what matches, also inside what was included.
 *
 * @param mostSteps nodes that each list may look at, or the filter throws `TakesLong`
 */
export async function tagFilter(
  { includeTags, excludeTags }: TagSelection,
  mostSteps: number,
): Promise<TagFilter | undefined> {
  const [includes, excludes] = [present(includeTags), present(excludeTags)];
  if (includes.length === 0 && excludes.length === 0) return undefined;
  // Loaded by the first page that needs it.
  const { selectOutermost } = await import("./selectors.ts");
  return function* (document) {
    const included = includes.length > 0 ? yield* selectOutermost(document, includes, mostSteps) : undefined;
    const excluded = excludes.length > 0 ? yield* selectOutermost(document, excludes, mostSteps) : [];
    removeNodes(new Set(excluded));
    if (included !== undefined) keepOnly(document, included);
  };
}

function keepOnly(document: Document, kept: readonly Element[]): void {
  const body = findBody(document);
  if (body === undefined || kept.some((element) => element === body || element.name === "html")) return;
  const attached = kept.filter((element) => isBelow(element, document));
  const groups = byHolder(attached);
  removeNodes(new Set(attached));
  removeChildren(body, () => true, null);
  setChildren(
    body,
    groups.flatMap(({ holder, members }) => {
      if (holder === undefined) return members;
      const copy = new Element(holder.name, { ...holder.attribs });
      setChildren(copy, members);
      return copy;
    }),
  );
}

/** Elements that need the element around them in order to keep their meaning, by name. */
const holders: ReadonlyMap<string, string> = new Map([
  ["tr", "table"],
  ["tbody", "table"],
  ["thead", "table"],
  ["tfoot", "table"],
  ["code", "pre"],
]);

interface Group {
  /** The element in which the members are kept: the table of which they are rows or sections. */
  readonly holder: Element | undefined;
  readonly members: Element[];
}

/** Rows need a table, in markdown as in HTML, so those of one table are kept together in it. */
function byHolder(elements: readonly Element[]): Group[] {
  const groups: Group[] = [];
  for (const element of elements) {
    const name = holders.get(element.name);
    const holder = name === undefined ? undefined : elementAround(element, name);
    const last = groups.at(-1);
    if (holder?.name === "table" && last?.holder === holder) last.members.push(element);
    else groups.push({ holder, members: [element] });
  }
  return groups;
}

function isBelow(element: Element, document: Document): boolean {
  let node: { parent: typeof element.parent } | null = element;
  while (node.parent !== null) node = node.parent;
  return node === document;
}

function findBody(document: Document): Element | undefined {
  let body: Element | undefined;
  walkNodes(document, (node) => {
    if (isElement(node) && node.name === "body") body = node;
    return body === undefined && isElement(node) && node.name === "html";
  });
  return body;
}
