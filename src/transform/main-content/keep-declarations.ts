/** Keeps the declarations in a manual of an interface: a name between linked types reads like a line of a menu. */
import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { headingElements } from "../html/elements.ts";
import { blockLine } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { besideText } from "./side-parts.ts";

/** What generators of manuals call them. */
const declaration = classNamed("sig|(?:type|member|method|function)-signature|memproto|declaration");
/** And what only their lines are called so: elsewhere, where a text is from. */
const line = classNamed("src");
const LINES = new Set(["p", "li"]);
/** And their headings: elsewhere, what a letter or a post ends with. */
const heading = classNamed("signature");
/** Manuals that are hardly more than declarations read like lists. */
const TYPES: ReadonlySet<PageType> = new Set<PageType>(["documentation", "listing", "collection"]);
/** A page with fewer may use such a name for something else. */
const LEAST = 2;

/**
 * Adds to `keep`, in place, each declaration, and what describes it: the rest of the element that it is in, if there are
 * others of its kind. Also the name of what they are parts of, if it is all of the title in the page's head.
 */
export function keepDeclarations(
  table: PageTable,
  pageType: PageType,
  title: string | undefined,
  keep: Uint8Array,
): void {
  if (!TYPES.has(pageType) || !table.elements.some(isDeclaration)) return;
  const { arrays, blockElement, elements, parent, tag } = table;
  const beside = besideText(table, 0, tag.length);
  const found: number[] = [];
  for (const [element, node] of elements.entries()) {
    if (beside[element] === 0 && isDeclaration(node)) found.push(element);
  }
  if (found.length < LEAST) return;
  const entries = entriesOf(table, found);
  const kept = arrays.bytes(tag.length);
  for (const element of found) kept[entries.has(parent[element]!) ? parent[element]! : element] = 1;
  for (let element = 0; element < tag.length; element++) {
    const around = parent[element]!;
    if (around >= 0 && kept[around] === 1 && beside[element] === 0) kept[element] = 1;
  }
  for (let block = 0; block < keep.length; block++) {
    const element = blockElement[block]!;
    const isName = element < found[0]! && beside[element] === 0 && blockLine(table, block) === title;
    if (isName || kept[element] === 1) keep[block] = 1;
  }
}

function isDeclaration({ name, attribs }: Element): boolean {
  const className = attribs["class"];
  if (className === undefined) return false;
  if (declaration.test(className)) return true;
  return LINES.has(name) ? line.test(className) : headingElements.has(name) && heading.test(className);
}

/** The elements that contain one declaration each, with others beside them that do. */
function entriesOf({ elements, parent }: PageTable, found: readonly number[]): Set<number> {
  const counts = new Map<number, number>();
  for (const element of found) counts.set(parent[element]!, (counts.get(parent[element]!) ?? 0) + 1);
  const kinds = new Map<string, number[]>();
  for (const [around, count] of counts) {
    if (around < 0 || count > 1) continue;
    const { name, attribs } = elements[around]!;
    const kind = `${parent[around]} ${name} ${attribs["class"] ?? ""}`;
    const others = kinds.get(kind);
    if (others === undefined) kinds.set(kind, [around]);
    else others.push(around);
  }
  return new Set([...kinds.values()].filter(({ length }) => length > 1).flat());
}
