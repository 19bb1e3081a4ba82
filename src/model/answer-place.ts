/**
 * Whether an answer has what was asked for, or has it elsewhere: models that are not held to a schema put an object into
 * a list, or below a name of their own, as in `{ "data": … }`, which fits every schema that allows other properties.
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import { isObject } from "./json-value.ts";
import { isPlainObject } from "./schema-forms.ts";
import type { ValidationIssue } from "./schema-run.ts";

/** Keywords that may be about properties other than those in `properties`. */
const openings = [
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "allOf",
  "if",
] as const;

/** The only properties that the schema says anything about; undefined if it may be any others too. */
function askedNames(schema: JsonSchema): readonly string[] | undefined {
  const { properties, required } = schema;
  if (!isPlainObject(schema) || !isObject(properties)) return undefined;
  const names = Object.keys(properties).concat(Array.isArray(required) ? required : []);
  const isOpen = openings.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
  return isOpen || names.length === 0 ? undefined : names;
}

const hasAny = (value: object, names: readonly string[]): boolean => names.some((name) => Object.hasOwn(value, name));

/** What is wrong with an object that fits the schema only because it has nothing of what that is about. */
export function besideIssues(schema: JsonSchema, value: unknown): readonly ValidationIssue[] {
  const names = askedNames(schema);
  if (names === undefined || !isObject(value) || Object.keys(value).length === 0 || hasAny(value, names)) return [];
  const named = [...new Set(names)].slice(0, 20).join(", ").slice(0, 500);
  return [{ path: "", message: `has none of the properties that were asked for (${named})` }];
}

/** An answer, or what it wraps in a list, or in one name, if that has what was asked for, and the answer itself does not. */
export function unwrapped(schema: JsonSchema, value: unknown): unknown {
  const names = askedNames(schema);
  if (names === undefined || typeof value !== "object" || value === null || hasAny(value, names)) return value;
  const values = Object.values(value);
  return values.length === 1 && isObject(values[0]) && hasAny(values[0], names) ? values[0] : value;
}
