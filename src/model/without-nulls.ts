/** Nulls say "the page does not tell". Where the schema has no null, the property is left out instead. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { allSchemas } from "./schema-check.ts";
import { allowsNull, itemsOf, propertyOf, requiredNames } from "./schema-parts.ts";
import { createResolver, type Resolve, type SchemaNode } from "./schema-references.ts";

/** Nulls of required properties stay, so that the check of the answer names them. */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  return strip(schema, value, createResolver(schema, allSchemas(schema)));
}

function strip(schema: SchemaNode | undefined, value: unknown, resolve: Resolve): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema, resolve);
    const kept = allowsNull(items, resolve) ? value : value.filter((item) => item !== null);
    return kept.map((item) => strip(items, item, resolve));
  }
  if (!isObject(value)) return value;
  const required = requiredNames(schema, resolve);
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const part = propertyOf(schema, key, resolve);
    if (item === null && !required.has(key) && !allowsNull(part, resolve)) continue;
    setKey(result, key, strip(part, item, resolve));
  }
  return result;
}
