/**
 * Values that the library of a schema converts although they do not fit its JSON Schema: `z.coerce.number()` takes "7".
 * Jobs store only the JSON Schema, so what is converted is noted there, in a keyword of our own.
 */

import { isObject } from "./json-value.ts";
import type { SchemaNode } from "./schema-walk.ts";

export const conversionKeyword = "x-converts";

/** What is converted: anything, numbers in other forms, or plain values of other types. */
export type Conversion = "any" | "number" | "scalar";

/**
 * Whether the library decides about a value. Null means that the page does not tell, and is never converted: it would
 * become 0 or "null".
 */
export function isConverted(schema: SchemaNode, value: unknown): boolean {
  if (!isObject(schema) || value === null || value === undefined) return false;
  const type = typeof value;
  const isOther = type !== "object" && type !== schema["type"];
  switch (schema[conversionKeyword]) {
    case "any":
      return true;
    case "number":
      return isOther && value !== "" && Number.isFinite(Number(value));
    case "scalar":
      return isOther;
    default:
      return false;
  }
}
