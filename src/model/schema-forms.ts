/** Other forms of a schema: the strict one that providers enforce, the partial one for a part of the content, and the rest of one. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { isObject, setKey } from "./json-value.ts";
import { subschemaKeywords } from "./schema-walk.ts";

/**
 * Top-level schemas that are not objects are wrapped in a property of this name, because providers return only objects.
 */
export const wrapperKey = "answer";

/**
 * The schema in the form that strict providers accept: closed objects, every property required but nullable, so that
 * the model is not forced to invent values, and only keywords that all such providers know. Null if it cannot be
 * expressed that way: open maps, tuples, `allOf`, schemas that accept anything.
 */
export function strictForm(schema: JsonSchema): JsonSchema | null {
  const strict = strictNode(schema, false);
  if (strict === null) return null;
  if (isPlainObject(schema)) return { ...strict, type: "object" };
  // Inside the wrapper, references other than those to definitions would lead to the wrong place.
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

/** Keywords that define a schema by other schemas. */
const others = ["$ref", "anyOf", "oneOf"] as const;
/** Keywords that cannot be combined with those, because a value would have to satisfy both. */
const own = ["properties", "items", "enum", "const"] as const;

/** True for a schema of objects that can stand at the top as it is. */
export function isPlainObject(schema: JsonSchema): boolean {
  return (
    (schema["type"] === "object" || (schema["type"] === undefined && isObject(schema["properties"]))) &&
    !others.some((keyword) => Object.hasOwn(schema, keyword))
  );
}

const notes = ["title", "description"] as const;
/** Keywords that the model is told in words, because not every provider enforces them; the answer is checked here. */
const said = [
  "format",
  "pattern",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
] as const;
const unspeakable = [
  "allOf",
  "not",
  "if",
  "patternProperties",
  "prefixItems",
  "dependentSchemas",
  "dependencies",
  "$dynamicRef",
  "$recursiveRef",
] as const;

function strictNode(node: unknown, nullable: boolean): Record<string, unknown> | null {
  if (!isObject(node)) return null;
  const has = (keyword: string) => Object.hasOwn(node, keyword);
  if (unspeakable.some(has)) return null;
  const referring = others.filter(has);
  if (referring.length + own.filter(has).length > 1 && referring.length > 0) return null;
  const result: Record<string, unknown> = {};
  for (const keyword of notes) if (has(keyword)) result[keyword] = node[keyword];
  const demands = said.filter(has).map((keyword) => `${keyword}: ${JSON.stringify(node[keyword])}`);
  if (demands.length > 0) result["description"] = [node["description"], demands.join(", ")].filter(Boolean).join(" – ");
  if (!definitionsInto(result, node)) return null;

  const forms = has("$ref") ? [{ $ref: node["$ref"] }] : strictForms(node["anyOf"] ?? node["oneOf"]);
  if (forms === null) return null;
  if (forms !== undefined) {
    // Nothing may accompany a reference, not even a description.
    const isAlone = has("$ref") && !nullable && notes.every((keyword) => result[keyword] === undefined);
    return isAlone ? { ...result, ...forms[0] } : { ...result, anyOf: nullable ? orNull(forms) : forms };
  }
  const types = typesOf(node);
  if (types.length === 0) return null;
  if (has("const")) {
    const only = { type: types.length === 1 ? types[0] : types, const: node["const"] };
    return nullable ? { ...result, anyOf: orNull([only]) } : { ...result, ...only };
  }
  if (types.includes("object") && !objectInto(result, node)) return null;
  if (types.includes("array")) {
    const items = strictNode(node["items"], false);
    if (items === null) return null;
    result["items"] = items;
  }
  const withNull = nullable || node["nullable"] === true ? [...new Set([...types, "null"])] : types;
  result["type"] = withNull.length === 1 ? withNull[0] : withNull;
  if (Array.isArray(node["enum"])) {
    const isMissing = withNull.includes("null") && !node["enum"].includes(null);
    result["enum"] = isMissing ? [...node["enum"], null] : node["enum"];
  }
  return result;
}

/** Undefined if there are none, null if one of them cannot be expressed. */
function strictForms(forms: unknown): Record<string, unknown>[] | null | undefined {
  if (!Array.isArray(forms)) return undefined;
  const strict = forms.map((form) => strictNode(form, false));
  return strict.includes(null) ? null : (strict as Record<string, unknown>[]);
}

function orNull(forms: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  return forms.some(({ type }) => type === "null") ? forms : [...forms, { type: "null" }];
}

/** Providers require a type for every value, but an `enum` may lack one. */
function typesOf(node: Record<string, unknown>): unknown[] {
  const { type } = node;
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  if (isObject(node["properties"])) return ["object"];
  if (Object.hasOwn(node, "items")) return ["array"];
  const choices = Array.isArray(node["enum"]) ? node["enum"] : Object.hasOwn(node, "const") ? [node["const"]] : [];
  const types = new Set(choices.map((choice) => (choice === null ? "null" : typeof choice)));
  return types.has("object") ? [] : [...types];
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

/** Keywords whose meaning for a value depends on the whole of it. */
const conditional: ReadonlySet<string> = new Set(["not", "if", "then", "else"]);

/** Types of values that are never split, so that conditions about them hold for parts of an answer too. */
const undivided: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "null"]);

/**
 * The schema for a part of an answer: nothing is required, and every value may be null. A part fits whatever the whole
 * may fit: of forms of which only one may fit, and of a condition's two outcomes, any will do.
 */
export function partialForm(schema: JsonSchema): JsonSchema {
  return partialNode(schema) as JsonSchema;
}

function partialNode(node: unknown): unknown {
  if (!isObject(node)) return node;
  const result: Record<string, unknown> = {};
  const isWhole = node["type"] !== undefined && [node["type"]].flat().every((type) => undivided.has(type));
  for (const [keyword, value] of Object.entries(node)) {
    if (demanding.has(keyword) || keyword === "oneOf" || (conditional.has(keyword) && !isWhole)) continue;
    // What a condition evaluates in the whole is not known.
    if (keyword === "unevaluatedProperties" && Object.hasOwn(node, "if")) continue;
    const kind = conditional.has(keyword) ? undefined : subschemaKeywords[keyword];
    if (kind === "named" && isObject(value)) {
      const parts = {};
      for (const [name, part] of Object.entries(value)) {
        // In `dependencies`, a list names what is required.
        if (!Array.isArray(part)) setKey(parts, name, partialNode(part));
      }
      setKey(result, keyword, parts);
    } else if (Array.isArray(value) && (kind === "list" || keyword === "items"))
      setKey(result, keyword, value.map(partialNode));
    else setKey(result, keyword, kind === "one" ? partialNode(value) : value);
  }
  const choices = Array.isArray(node["oneOf"]) ? [node["oneOf"]] : [];
  if (Object.hasOwn(node, "if") && !isWhole) choices.push([node["then"] ?? {}, node["else"] ?? {}]);
  return choices.reduce(withChoice, result);
}

/** The schema, and in addition one of several forms. */
function withChoice(schema: Record<string, unknown>, forms: readonly unknown[]): Record<string, unknown> {
  const anyOf = forms.map(partialNode);
  if (schema["anyOf"] === undefined) return { ...schema, anyOf };
  return { ...schema, allOf: [...(Array.isArray(schema["allOf"]) ? schema["allOf"] : []), { anyOf }] };
}

/** The schema without the fields that are already answered, for asking the model. */
export function schemaOfRest(schema: JsonSchema, answered: ReadonlySet<string>): JsonSchema {
  const { properties, required } = schema;
  if (!isObject(properties) || answered.size === 0) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !answered.has(name))),
    ...(Array.isArray(required) ? { required: required.filter((name) => !answered.has(String(name))) } : {}),
  };
}
