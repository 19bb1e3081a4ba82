/** Names the fields of a schema that an answer leaves open. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { isObject } from "./json-value.ts";
import { itemsOf, propertyNames, propertyOf } from "./schema-parts.ts";
import { createResolver, type Resolve } from "./schema-references.ts";
import type { SchemaNode } from "./schema-walk.ts";

/**
 * Their paths. A field of a list's items counts if none of them has it.
 *
 * @example
 * unfilledFields({ properties: { name: {}, list: { items: { properties: { n: {} } } } } }, { list: [{}] }); // ["name", "list[].n"]
 */
export function unfilledFields(schema: JsonSchema, value: unknown): string[] {
  return [...unfilled(schema, [value], "", createResolver(schema))];
}

/** @param values everything that the answer has at the path */
function* unfilled(
  schema: SchemaNode | undefined,
  values: readonly unknown[],
  path: string,
  resolve: Resolve,
): Generator<string> {
  const things = values.filter(isObject);
  for (const name of things.length > 0 ? propertyNames(schema, resolve) : []) {
    const at = path === "" ? name : `${path}.${name}`;
    const found = things.flatMap((thing) => (Object.hasOwn(thing, name) ? [thing[name]] : []));
    if (found.every((value) => value === null)) yield at;
    else yield* unfilled(propertyOf(schema, name, resolve), found, at, resolve);
  }
  const items = values.flatMap((value) => (Array.isArray(value) ? value : []));
  if (items.length > 0) yield* unfilled(itemsOf(schema, resolve), items, `${path}[]`, resolve);
}
