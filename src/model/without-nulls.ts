/** A null means that the page does not tell. If the schema does not allow null, the property is removed instead. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { Turn } from "../shared/turn.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { allSchemas } from "./schema-check.ts";
import { allowsNull, itemsOf, propertyOf, requiredNames } from "./schema-parts.ts";
import { createResolver, type Resolve, type SchemaNode } from "./schema-references.ts";

/**
 * Nulls of required properties are kept, so that the check of the answer reports them. Long lists take several turns of
 * the event loop.
 */
export function withoutNulls(schema: JsonSchema, value: unknown): Promise<unknown> {
  return strip(schema, value, createResolver(schema, allSchemas(schema)), new Turn(), new Map());
}

/** The required properties of each schema. */
type Required = Map<SchemaNode | undefined, ReadonlySet<string>>;

async function strip(
  schema: SchemaNode | undefined,
  value: unknown,
  resolve: Resolve,
  turn: Turn,
  required: Required,
): Promise<unknown> {
  if (Array.isArray(value)) {
    const items = itemsOf(schema, resolve);
    const kept = allowsNull(items, resolve) ? value : value.filter((item) => item !== null);
    const result: unknown[] = [];
    for (const item of kept) {
      if (turn.isOver()) await turn.next();
      result.push(typeof item === "object" ? await strip(items, item, resolve, turn, required) : item);
    }
    return result;
  }
  if (!isObject(value)) return value;
  const names = required.get(schema) ?? requiredNames(schema, resolve);
  required.set(schema, names);
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const part = propertyOf(schema, key, resolve);
    if (item === null && !names.has(key) && !allowsNull(part, resolve)) continue;
    setKey(result, key, typeof item === "object" ? await strip(part, item, resolve, turn, required) : item);
  }
  return result;
}
