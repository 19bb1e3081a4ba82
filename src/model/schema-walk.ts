/** Finds the schemas within a schema, so that a property called `default` is never mistaken for a keyword. */
import { isObject } from "./json-value.ts";

/** A schema, or the keyword-free `true` and `false`. */
export type SchemaNode = Readonly<Record<string, unknown>> | boolean;

/** Keywords that contain one schema, a list of schemas, or schemas by name. */
export const subschemaKeywords: Readonly<Record<string, "one" | "list" | "named">> = {
  items: "one",
  additionalItems: "one",
  prefixItems: "list",
  contains: "one",
  unevaluatedItems: "one",
  properties: "named",
  patternProperties: "named",
  additionalProperties: "one",
  propertyNames: "one",
  unevaluatedProperties: "one",
  dependentSchemas: "named",
  dependencies: "named",
  allOf: "list",
  anyOf: "list",
  oneOf: "list",
  not: "one",
  if: "one",
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name.
  then: "one",
  else: "one",
  $defs: "named",
  definitions: "named",
};

export function isSchema(value: unknown): value is SchemaNode {
  return typeof value === "boolean" || isObject(value);
}

/**
 * The schemas directly inside a schema. `items` and `dependencies` of old drafts may contain lists of schemas or names.
 */
export function* childSchemas(node: SchemaNode): Generator<{ path: readonly (string | number)[]; schema: unknown }> {
  if (typeof node === "boolean") return;
  for (const [keyword, value] of Object.entries(node)) {
    if (!Object.hasOwn(subschemaKeywords, keyword)) continue;
    const kind = subschemaKeywords[keyword];
    if (kind === "list" || (keyword === "items" && Array.isArray(value))) {
      if (Array.isArray(value)) for (const [index, schema] of value.entries()) yield { path: [keyword, index], schema };
    } else if (kind === "one") yield { path: [keyword], schema: value };
    else if (isObject(value)) {
      // Not their entries, which for thousands of names take several times as long.
      for (const name of Object.keys(value)) {
        const schema = value[name];
        if (keyword !== "dependencies" || !Array.isArray(schema)) yield { path: [keyword, name], schema };
      }
    }
  }
}

/** All schemas in a schema, including itself. */
export function allSchemas(schema: SchemaNode): SchemaNode[] {
  const found = [schema];
  for (const node of found) {
    for (const child of childSchemas(node)) if (isSchema(child.schema)) found.push(child.schema);
  }
  return found;
}
