/** What a schema says about the properties and items of a value, in any part of the schema. */
import { isObject } from "./json-value.ts";
import type { Resolve } from "./schema-references.ts";
import { isSchema, type SchemaNode } from "./schema-walk.ts";

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

/** Undefined for a tuple, whose items have schemas of their own. */
export function itemsOf(schema: SchemaNode | undefined, resolve: Resolve): SchemaNode | undefined {
  for (const { items, prefixItems } of applied(schema, resolve))
    if (isObject(items) && prefixItems === undefined) return items;
  return undefined;
}

/** The schema of a property, or of all that the schema does not name. */
export function propertyOf(schema: SchemaNode | undefined, key: string, resolve: Resolve): SchemaNode | undefined {
  let unnamed: SchemaNode | undefined;
  for (const { properties, patternProperties, additionalProperties } of applied(schema, resolve)) {
    if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key] as SchemaNode;
    // With patterns it is uncertain which of the two applies.
    if (patternProperties === undefined && isSchema(additionalProperties)) unnamed ||= additionalProperties;
  }
  return unnamed;
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
  for (const node of applied(schema, resolve)) for (const name of ownTypes(node)) types.add(name);
  return types;
}

function ownTypes(node: Node): string[] {
  const { type } = node;
  const types = type === undefined ? [] : [type].flat().map(String);
  if (type === undefined && isObject(node["properties"])) types.push("object");
  if (type === undefined && Object.hasOwn(node, "items")) types.push("array");
  if (node["nullable"] === true) types.push("null");
  return types;
}
