/** Resolves `$ref` within a schema. Nothing is ever fetched. */
import { isObject } from "./json-value.ts";
import { allSchemas, type SchemaNode } from "./schema-walk.ts";

/** Keywords whose value leads to another schema. */
export const referenceKeywords = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

export type Resolve = (reference: string) => SchemaNode | undefined;

/**
 * A resolver for JSON pointers (`#/$defs/price`), anchors (`#price`), and the ids of subschemas. These are looked for with
 * the first reference: most schemas have none, and one may contain thousands of others.
 */
export function createResolver(root: SchemaNode): Resolve {
  let known: ReadonlyMap<string, SchemaNode> | undefined;
  return (reference) => {
    known ??= namesOf(root);
    return resolved(root, known, reference);
  };
}

function namesOf(root: SchemaNode): Map<string, SchemaNode> {
  const names = new Map<string, SchemaNode>([["#", root]]);
  for (const node of allSchemas(root)) {
    if (typeof node === "boolean") continue;
    for (const keyword of ["$id", "id"]) {
      const id = node[keyword];
      if (typeof id === "string" && !names.has(id)) names.set(id, node);
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = node[keyword];
      if (typeof anchor === "string" && !names.has(`#${anchor}`)) names.set(`#${anchor}`, node);
    }
  }
  return names;
}

function resolved(root: SchemaNode, names: ReadonlyMap<string, SchemaNode>, reference: string): SchemaNode | undefined {
  const named = names.get(reference) ?? names.get(reference.replace(/#$/, ""));
  if (named !== undefined) return named;
  const hash = reference.indexOf("#");
  const base = hash <= 0 ? root : names.get(reference.slice(0, hash));
  if (base === undefined || hash === -1) return undefined;
  return pointed(base, reference.slice(hash + 1)) ?? names.get(reference.slice(hash));
}

function pointed(root: SchemaNode, pointer: string): SchemaNode | undefined {
  if (!pointer.startsWith("/")) return undefined;
  let node: unknown = root;
  for (const part of pointer.slice(1).split("/")) {
    const key = unescaped(part);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return isObject(node) || typeof node === "boolean" ? node : undefined;
}

function unescaped(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Then the pointer is taken literally.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
