/** What a schema says about the properties and items of a value, in any part of the schema. */
import { isObject } from "./json-value.ts";
import type { Resolve, SchemaNode } from "./schema-references.ts";

type Node = Readonly<Record<string, unknown>>;

/** Most schemas applying to one value that are examined. */
const maxApplied = 100;

/** The schemas that apply to one value: a schema, what it refers to, and the parts of its `allOf`, `anyOf`, `oneOf`. */
export function* applied(schema: SchemaNode | undefined, resolve: Resolve): Generator<Node> {
  const seen = new Set<unknown>();
  const open: unknown[] = [schema];
  for (let index = 0; index < open.length && seen.size < maxApplied; index++) {
    const node = open[index];
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    yield node;
    if (typeof node["$ref"] === "string") open.push(resolve(node["$ref"]));
    for (const keyword of ["allOf", "anyOf", "oneOf"])
      if (Array.isArray(node[keyword])) open.push(...node[keyword].slice(0, maxApplied));
  }
}

export function itemsOf(schema: SchemaNode | undefined, resolve: Resolve): SchemaNode | undefined {
  for (const node of applied(schema, resolve)) if (isObject(node["items"])) return node["items"];
  return undefined;
}

export function propertyOf(schema: SchemaNode | undefined, key: string, resolve: Resolve): SchemaNode | undefined {
  for (const { properties } of applied(schema, resolve)) {
    if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key] as SchemaNode;
  }
  return undefined;
}

/** In the order of the schema. */
export function propertyNames(schema: SchemaNode | undefined, resolve: Resolve): string[] {
  const names = new Set<string>();
  for (const { properties } of applied(schema, resolve)) {
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  return [...names];
}

export function requiredNames(schema: SchemaNode | undefined, resolve: Resolve): Set<string> {
  const names = new Set<string>();
  for (const { required } of applied(schema, resolve)) {
    if (Array.isArray(required)) for (const name of required) names.add(String(name));
  }
  return names;
}

/** The types a value may have, as far as the schema tells; empty: any. */
export function typesOf(schema: SchemaNode | undefined, resolve: Resolve): Set<string> {
  const types = new Set<string>();
  for (const node of applied(schema, resolve)) {
    const { type } = node;
    for (const name of Array.isArray(type) ? type : type === undefined ? [] : [type]) types.add(String(name));
    if (type === undefined && isObject(node["properties"])) types.add("object");
    if (type === undefined && Object.hasOwn(node, "items")) types.add("array");
    if (node["nullable"] === true) types.add("null");
  }
  return types;
}

export function allowsNull(schema: SchemaNode | undefined, resolve: Resolve): boolean {
  if (schema === undefined || typeof schema === "boolean") return schema !== false;
  let closed = false;
  for (const node of applied(schema, resolve)) {
    const choices = node["enum"];
    if (Array.isArray(choices)) {
      // `type: "string"` next to it forbids the null that the list allows.
      if (choices.includes(null) && node["type"] === undefined) return true;
      closed = true;
    }
    if (Object.hasOwn(node, "const")) {
      if (node["const"] === null) return true;
      closed = true;
    }
  }
  const types = typesOf(schema, resolve);
  return types.has("null") || (types.size === 0 && !closed);
}
