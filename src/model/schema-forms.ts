/** Other forms of a schema: the strict one that providers enforce, and the partial one for a part of the content. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { isObject, setKey } from "./json-value.ts";
import { subschemaKeywords } from "./schema-walk.ts";

/** Top-level schemas that are no objects go into a property of this name, since providers answer with objects only. */
export const wrapperKey = "answer";

/**
 * The schema as strict providers take it: closed objects, every property required yet nullable, so that the model is
 * not forced to invent a value, and no keywords but those that all such providers know. Null when it cannot be said
 * that way: open maps, tuples, `allOf`, anything.
 */
export function strictForm(schema: JsonSchema): JsonSchema | null {
  const strict = strictNode(schema, false);
  if (strict === null) return null;
  if (isPlainObject(schema)) return strict;
  // Inside the wrapper other references than those to definitions would lead elsewhere.
  if (/"\$ref":"(?!#\/(?:\$defs|definitions)\/)/.test(JSON.stringify(strict))) return null;
  const { $defs, definitions, ...rest } = strict;
  return {
    type: "object",
    properties: { [wrapperKey]: rest },
    required: [wrapperKey],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** True for a schema of objects that can stand at the top as it is. */
export function isPlainObject(schema: JsonSchema): boolean {
  return (
    (schema["type"] === "object" || (schema["type"] === undefined && isObject(schema["properties"]))) &&
    !Object.hasOwn(schema, "$ref")
  );
}

const kept = ["title", "description", "enum", "const", "$ref"] as const;
/** Said to the model in words, since not every provider enforces them; the answer is checked here. */
const said = ["format", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;
const unspeakable = [
  "allOf",
  "not",
  "if",
  "patternProperties",
  "prefixItems",
  "dependentSchemas",
  "dependencies",
  "$dynamicRef",
] as const;

function strictNode(node: unknown, nullable: boolean): Record<string, unknown> | null {
  if (!isObject(node)) return null;
  if (unspeakable.some((keyword) => Object.hasOwn(node, keyword))) return null;
  const result: Record<string, unknown> = {};
  for (const keyword of kept) if (Object.hasOwn(node, keyword)) result[keyword] = node[keyword];
  const demands = said
    .filter((keyword) => Object.hasOwn(node, keyword))
    .map((keyword) => `${keyword}: ${JSON.stringify(node[keyword])}`);
  if (demands.length > 0) result["description"] = [node["description"], demands.join(", ")].filter(Boolean).join(" – ");
  if (!definitionsInto(result, node)) return null;

  const forms = node["anyOf"] ?? node["oneOf"];
  if (Array.isArray(forms)) {
    const strict = forms.map((form) => strictNode(form, false));
    if (strict.includes(null)) return null;
    result["anyOf"] = nullable ? [...strict, { type: "null" }] : strict;
    return result;
  }
  if (Object.hasOwn(node, "$ref")) return nullable ? { anyOf: [result, { type: "null" }] } : result;
  const types = typesOf(node);
  if (types.length === 0) {
    if (!Object.hasOwn(node, "enum") && !Object.hasOwn(node, "const")) return null;
    return nullable ? { anyOf: [result, { type: "null" }] } : result;
  }
  if (types.includes("object") && !objectInto(result, node)) return null;
  if (types.includes("array")) {
    const items = strictNode(node["items"], false);
    if (items === null) return null;
    result["items"] = items;
  }
  const withNull = nullable || node["nullable"] === true ? [...new Set([...types, "null"])] : types;
  result["type"] = withNull.length === 1 ? withNull[0] : withNull;
  if (withNull.includes("null") && Array.isArray(result["enum"]) && !result["enum"].includes(null)) {
    result["enum"] = [...result["enum"], null];
  }
  return result;
}

function typesOf(node: Record<string, unknown>): unknown[] {
  const { type } = node;
  if (type === undefined)
    return isObject(node["properties"]) ? ["object"] : Object.hasOwn(node, "items") ? ["array"] : [];
  return Array.isArray(type) ? type : [type];
}

function objectInto(result: Record<string, unknown>, node: Record<string, unknown>): boolean {
  const { properties, additionalProperties } = node;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (!isObject(properties) || isOpen) return false;
  const strict = {};
  for (const [name, part] of Object.entries(properties)) {
    const node = strictNode(part, true);
    if (node === null) return false;
    setKey(strict, name, node);
  }
  result["properties"] = strict;
  result["required"] = Object.keys(properties);
  result["additionalProperties"] = false;
  return true;
}

function definitionsInto(result: Record<string, unknown>, node: Record<string, unknown>): boolean {
  for (const keyword of ["$defs", "definitions"]) {
    const parts = node[keyword];
    if (!isObject(parts)) continue;
    const strict = {};
    for (const [name, part] of Object.entries(parts)) {
      const definition = strictNode(part, false);
      if (definition === null) return false;
      setKey(strict, name, definition);
    }
    result[keyword] = strict;
  }
  return true;
}

/** Keywords that a part of an answer need not satisfy yet. */
const demanding: ReadonlySet<string> = new Set([
  "required",
  "minItems",
  "minProperties",
  "contains",
  "minContains",
  "dependentRequired",
]);

/** The schema for a part of an answer: nothing is required, and every value may be null. */
export function partialForm(schema: JsonSchema): JsonSchema {
  return partialNode(schema) as JsonSchema;
}

function partialNode(node: unknown): unknown {
  if (!isObject(node)) return node;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (demanding.has(keyword)) continue;
    const kind = keyword === "not" || keyword === "if" ? undefined : subschemaKeywords[keyword];
    if (kind === "named" && isObject(value)) {
      const parts = {};
      for (const [name, part] of Object.entries(value)) setKey(parts, name, partialNode(part));
      result[keyword] = parts;
    } else if (Array.isArray(value) && (kind === "list" || keyword === "items"))
      result[keyword] = value.map(partialNode);
    else result[keyword] = kind === "one" ? partialNode(value) : value;
  }
  return result;
}
