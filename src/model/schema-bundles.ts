/**
 * Bundled schemas, which contain others with ids of their own: their references are rewritten as pointers from the
 * root.
 */
import { createResolver } from "./schema-references.ts";
import { childSchemas, isSchema, type SchemaNode } from "./schema-walk.ts";

type Node = Record<string, unknown>;

interface Place {
  readonly node: Node;
  readonly pointer: string;
  /** The address of the schema that the node belongs to; its references are relative to it. */
  readonly base: string;
}

/** The address of a schema without an id. Nothing is ever fetched from there. */
const nowhere = "http://schema.invalid/";
/** In characters. Longer ids are ignored, because each reference below them is resolved against them. */
const longestAddress = 2000;

/**
 * Rewrites references that are not pointers from the root, if they lead to a place in the schema.
 *
 * @param schema plain JSON that belongs to the caller; it is changed
 */
export function unbundle(schema: unknown): void {
  if (!isSchema(schema) || typeof schema === "boolean") return;
  const places = placesOf(schema as Node);
  const [root] = places;
  const roots = new Map<string, string>();
  const anchors = new Map<string, string>();
  for (const { node, pointer, base } of places) {
    if (!roots.has(base)) roots.set(base, pointer);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      if (typeof node[keyword] === "string") anchors.set(`${base}#${node[keyword]}`, pointer);
    }
  }
  const fromRoot = createResolver(schema);
  for (const { node, base } of places) {
    const reference = node["$ref"];
    if (typeof reference !== "string" || (base === root!.base && reference.startsWith("#"))) continue;
    const url = URL.parse(reference, base);
    const start = url === null ? undefined : roots.get(withoutHash(url));
    if (url === null || start === undefined) continue;
    const fragment = url.hash.slice(1);
    const target =
      fragment === "" || fragment.startsWith("/") ? start + fragment : anchors.get(`${withoutHash(url)}#${fragment}`);
    // Tools that give every part an id may still point from the root; such pointers are kept.
    if (target !== undefined && fromRoot(`#${target}`) !== undefined) node["$ref"] = `#${target}`;
  }
}

function placesOf(root: Node): Place[] {
  const places: Place[] = [{ node: root, pointer: "", base: baseOf(root, nowhere) }];
  for (const { node, pointer, base } of places) {
    for (const { path, schema } of childSchemas(node as SchemaNode)) {
      if (!isSchema(schema) || typeof schema === "boolean") continue;
      const at = path.map((part) => `/${encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))}`);
      places.push({ node: schema as Node, pointer: pointer + at.join(""), base: baseOf(schema as Node, base) });
    }
  }
  return places;
}

/** `id` is the keyword of draft 4. */
function baseOf({ $id, id }: Node, base: string): string {
  const own = $id ?? id;
  if (typeof own !== "string" || own.startsWith("#")) return base;
  const url = URL.parse(own, base);
  return url === null || url.href.length > longestAddress ? base : withoutHash(url);
}

function withoutHash({ href }: URL): string {
  return href.replace(/#.*$/s, "");
}
