/** Distinguishes declared things, and recognises fields that a declared value cannot answer. */

import type { StructuredItem } from "../contract/structured-data.ts";
import { comparableText } from "./comparable-text.ts";
import { isObject } from "./json-value.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { textOf, valuesAt } from "./structured-values.ts";

export function nameOf(item: StructuredItem): string {
  const names = ["name", "headline", "title"].map((key) => valuesAt([item], key)[0]);
  const name = names.find((value) => value !== undefined);
  return name === undefined ? "" : comparableText(textOf(name) ?? "");
}

/**
 * Words with which a description asks for something other than what the field's name says, so that a declared value is
 * no answer even if there is no model that could tell.
 */
const conditions =
  /\b(?:without|excluding|excl|before|after|per|only|not|except|converted?|translat\w*|discount\w*|original|monthly|yearly|total|average|short|brief|words?|sentences?|in (?:english|german|french|spanish|usd|eur|gbp)|uppercase|lowercase|unless)\b/i;

export function hasConditions(part: SchemaNode | undefined): boolean {
  return isObject(part) && typeof part["description"] === "string" && conditions.test(part["description"]);
}

/** A thing may be declared twice, in JSON-LD and in microdata: same type and same name mean the same thing. */
export function groupThings(items: readonly StructuredItem[]): StructuredItem[][] {
  const things = new Map<string, StructuredItem[]>();
  for (const item of items) {
    const text = nameOf(item);
    const key = text === "" ? `#${things.size}` : `${item.types[0] ?? ""} ${text}`;
    const thing = things.get(key);
    if (thing === undefined) things.set(key, [item]);
    else if (!thing.some(({ from }) => from === item.from)) thing.push(item);
    else things.set(`#${things.size}`, [item]);
  }
  return [...things.values()];
}
