/** Reads the tags of a tagged PDF: which text on a page is a heading, a list item or a cell of a table. */

/** The role of a run of text according to its tags. A page's list of parts is in reading order. */
export type Part =
  /** A paragraph, or text without a more specific tag. */
  | { readonly kind: "text" }
  | { readonly kind: "heading"; readonly level: number }
  /** `depth`: 1 for the outermost list. */
  | { readonly kind: "item"; readonly depth: number }
  /** The mark of the item at this index. */
  | { readonly kind: "label"; readonly item: number }
  | { readonly kind: "cell"; readonly table: number; readonly row: number; readonly column: number };

export interface Structure {
  readonly parts: readonly Part[];
  /** The part that a piece of marked content belongs to, by the content's id. */
  readonly partOf: ReadonlyMap<string, number>;
}

/** The structure tree, as pdf.js returns it. */
export interface StructureNode {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly StructureNode[];
}

/** What an element inherits from surrounding ones. */
interface Surroundings {
  readonly part: number | undefined;
  /** True inside a cell: text that is tagged within it still belongs to the cell. */
  readonly isCell: boolean;
  readonly depth: number;
  readonly table: { readonly id: number; rows: number } | undefined;
  readonly row: { readonly number: number; cells: number } | undefined;
}

const outermost: Surroundings = { part: undefined, isCell: false, depth: 0, table: undefined, row: undefined };
const paragraphRoles = new Set(["P", "Caption", "Note", "FENote", "TOCI", "BibEntry"]);

export function structureOf(root: StructureNode): Structure {
  const parts: Part[] = [];
  const partOf = new Map<string, number>();
  const waiting: { node: StructureNode; around: Surroundings }[] = [{ node: root, around: outermost }];
  let tables = 0;
  /** Text outside of paragraphs goes into one part, as long as nothing else comes in between. */
  let loose: number | undefined;

  const add = (part: Part): number => {
    loose = undefined;
    return parts.push(part) - 1;
  };
  const enter = (role: string, around: Surroundings): Surroundings => {
    if (around.isCell) return around;
    const level = role.match(/^H([1-6])$/)?.[1];
    if (level !== undefined) return { ...around, part: add({ kind: "heading", level: Number(level) }) };
    switch (role) {
      case "L":
        return { ...around, depth: around.depth + 1 };
      case "LI":
        return { ...around, part: add({ kind: "item", depth: Math.max(1, around.depth) }) };
      case "Lbl":
        if (around.part === undefined || parts[around.part]!.kind !== "item") return around;
        return { ...around, part: add({ kind: "label", item: around.part }) };
      case "Table":
        return { ...around, table: { id: tables++, rows: 0 }, row: undefined };
      case "TR":
        if (around.table === undefined) return around;
        return { ...around, row: { number: around.table.rows++, cells: 0 } };
      case "TD":
      case "TH": {
        const { table, row } = around;
        if (table === undefined || row === undefined) return around;
        const cell = { kind: "cell", table: table.id, row: row.number, column: row.cells++ } as const;
        return { ...around, part: add(cell), isCell: true };
      }
    }
    const isInItem = around.part !== undefined && parts[around.part]!.kind === "item";
    return paragraphRoles.has(role) && !isInItem ? { ...around, part: add({ kind: "text" }) } : around;
  };

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, around } = next;
    if (node.type === "content" && node.id !== undefined) {
      if (around.part === undefined) loose ??= parts.push({ kind: "text" }) - 1;
      partOf.set(node.id, around.part ?? loose!);
    }
    const inside = node.role === undefined ? around : enter(node.role, around);
    for (const child of node.children?.toReversed() ?? []) waiting.push({ node: child, around: inside });
  }
  return { parts, partOf };
}
