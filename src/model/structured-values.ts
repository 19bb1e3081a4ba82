/** Values of declared things, in the form that a schema wants; undefined wherever that is uncertain. */

import type { StructuredItem, StructuredValue } from "../contract/structured-data.ts";
import type { Steps } from "../shared/turn.ts";
import { sameScalar } from "./comparable-text.ts";
import { readNumber } from "./read-number.ts";
import { hasFormat } from "./schema-formats.ts";
import { applied } from "./schema-parts.ts";
import type { Resolve } from "./schema-references.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { fieldPaths, plainName } from "./structured-names.ts";

export function isItem(value: StructuredValue): value is StructuredItem {
  return typeof value === "object";
}

/** The values at a path such as `offers.price`, over all things on the way. */
export function valuesAt(items: readonly StructuredItem[], path: string): readonly StructuredValue[] {
  let found: readonly StructuredValue[] = items;
  for (const key of path.split(".")) {
    found = allOf(found, (value) =>
      isItem(value) && Object.hasOwn(value.properties, key) ? value.properties[key]! : [],
    );
  }
  return found;
}

/** The values of each, one after the other. Those of a single one may be a million, and are not copied. */
export function allOf<Of>(
  each: readonly Of[],
  valuesOf: (one: Of) => readonly StructuredValue[],
): readonly StructuredValue[] {
  return each.length === 1 ? valuesOf(each[0]!) : each.flatMap(valuesOf);
}

export interface Scalar {
  readonly type: "string" | "number" | "integer" | "boolean";
  /** A text fits in any of them; with none, in any form. */
  readonly formats: readonly string[];
  /** By their texts and their plain names; a list may be long, and is read once. */
  readonly choices?: ReadonlyMap<string, unknown> | undefined;
}

/** The kind of plain value that the schema wants; undefined if it wants something else, or allows several kinds. */
export function scalarOf(schema: SchemaNode | undefined, resolve: Resolve): Scalar | undefined {
  let scalar: Scalar | undefined;
  for (const node of applied(schema, resolve)) {
    const { type, format } = node;
    const choices = Array.isArray(node["enum"]) ? byName(node["enum"]) : undefined;
    for (const name of [type].flat()) {
      if (name === "null" || name === undefined) continue;
      if (name !== "string" && name !== "number" && name !== "integer" && name !== "boolean") return undefined;
      if (scalar !== undefined && scalar.type !== name) return undefined;
      scalar = {
        type: name,
        formats: [...(scalar?.formats ?? []), ...(typeof format === "string" ? [format] : [])],
        choices: choices ?? scalar?.choices,
      };
    }
  }
  return scalar;
}

/** Of two with the same plain name, such as C and C++, the first counts for texts that are neither. */
function byName(choices: readonly unknown[]): ReadonlyMap<string, unknown> {
  const named = choices.filter((choice) => choice !== null).map((choice) => [String(choice), choice] as const);
  return new Map([...named.map(([text, choice]) => [plainName(text), choice] as const).reverse(), ...named.reverse()]);
}

/** How many values are read in one step: reading most takes a microsecond or two. */
const valuesInStep = 256;

/** The value, if all declarations yield the same one. Pictures are the exception: the first is taken. */
export function* onlyValue(
  values: readonly StructuredValue[],
  scalar: Scalar,
  field: string,
): Steps<string | number | boolean | undefined> {
  const isPicture = /^(?:image|photo|thumbnail)/.test(plainName(field));
  let only: string | number | boolean | undefined;
  for (const [index, value] of values.entries()) {
    if (index % valuesInStep === valuesInStep - 1) yield;
    const read = readField(value, scalar, field);
    if (read === undefined && scalar.type !== "string") return undefined;
    if (read !== undefined && only !== undefined && !isPicture && sameScalar(read) !== sameScalar(only))
      return undefined;
    only ??= read;
  }
  return only;
}

/** The address of a thing that is only linked to is not its name, which is unknown here. */
function readField(value: StructuredValue, scalar: Scalar, field: string): string | number | boolean | undefined {
  const read = readScalar(value, scalar);
  const isAddress = scalar.formats.length === 0 && typeof read === "string" && /^https?:\/\//i.test(read);
  return isAddress && holdsWords(field) ? undefined : read;
}

/** The last steps of paths to values that should be words rather than addresses. */
const ofWords = /(?:^|\.)(?:name|headline|articleSection|address|addressLocality|addressRegion)$/;

function holdsWords(field: string): boolean {
  const plain = plainName(field);
  return Object.hasOwn(fieldPaths, plain) && fieldPaths[plain]!.some((path) => ofWords.test(path));
}

export function readScalar(
  value: StructuredValue,
  { type, formats, choices }: Scalar,
): string | number | boolean | undefined {
  if (choices !== undefined) {
    const text = textOf(value) ?? "";
    const local = localText(text);
    return (choices.get(text) ?? choices.get(local) ?? choices.get(plainName(local))) as string | number | undefined;
  }
  if (type === "boolean") return readBoolean(value);
  if (type === "string") return readText(value, formats);
  const number = typeof value === "number" ? value : typeof value === "string" ? readNumber(value) : undefined;
  return number !== undefined && (type === "number" || Number.isInteger(number)) ? number : undefined;
}

const yes: ReadonlySet<string> = new Set(["true", "instock", "onlineonly", "limitedavailability", "instoreonly"]);
const no: ReadonlySet<string> = new Set(["false", "outofstock", "soldout", "discontinued"]);

function readBoolean(value: StructuredValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? plainName(localText(value)) : "";
  return yes.has(text) ? true : no.has(text) ? false : undefined;
}

function readText(value: StructuredValue, formats: readonly string[]): string | undefined {
  // Some content systems write `false` if they have no text.
  if (typeof value === "boolean") return undefined;
  const text = textOf(value);
  // A picture that is loaded by a script has a placeholder as its address.
  if (text === undefined || text.startsWith("data:")) return undefined;
  // Some write a dash for a missing name.
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return undefined;
  if (formats.includes("date") && !formats.includes("date-time") && /^\d{4}-\d{2}-\d{2}[T ]/.test(text))
    return text.slice(0, 10);
  // An enumeration's member: `https://schema.org/InStock`.
  const plain = formats.length === 0 && /^https?:\/\/schema\.org\//.test(text) ? localText(text) : text;
  return formats.length === 0 || formats.some((format) => hasFormat(plain, format)) ? plain : undefined;
}

function localText(text: string): string {
  return text.startsWith("http") ? text.replace(/^.*[/#]/s, "") : text;
}

const addressParts = ["streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"];
const textKeys = ["name", "text", "headline", "url", "contentUrl", "value"];
/** The name of a section is not one of its steps. */
const textKeysOfType: readonly (readonly [type: string, keys: readonly string[]])[] = [
  ["HowToStep", ["text", "name"]],
  ["HowToSection", ["text"]],
  ["ImageObject", ["url", "contentUrl"]],
];

/** Many leave out the type of an address. */
function isAddress({ types, properties }: StructuredItem): boolean {
  return (
    types.includes("PostalAddress") ||
    (types.length === 0 && addressParts.some((part) => Object.hasOwn(properties, part)))
  );
}

/** The text of a thing: its address, its name, its text, or its URL. */
export function textOf(value: StructuredValue): string | undefined {
  if (!isItem(value)) return typeof value === "string" ? withoutTags(value) : String(value);
  if (isAddress(value)) {
    const parts = addressParts.flatMap((key) => valuesAt([value], key).map((part) => textOf(part)));
    return parts.filter((part) => part).join(", ") || undefined;
  }
  const keys = textKeysOfType.find(([type]) => value.types.includes(type))?.[1] ?? textKeys;
  for (const key of keys) {
    const [first] = valuesAt([value], key);
    if (first !== undefined && !isItem(first)) return textOf(first);
  }
  return undefined;
}

function withoutTags(text: string): string {
  return text.includes("<")
    ? text
        .replace(/<\/?[a-z][^<>]*>/gi, " ")
        .replace(/\s+/g, " ")
        .trim()
    : text;
}

/**
 * The steps of a section, the directions of a step, the items of a list; a thing that has a text of its own is not
 * taken apart.
 */
function innerParts(value: StructuredValue): StructuredValue[] {
  if (!isItem(value) || Object.hasOwn(value.properties, "text")) return [value];
  const parts = Object.entries(value.properties).flatMap(([name, values]) => {
    const plain = plainName(name);
    return plain === "itemlistelement" ? values : plain === "item" ? values.filter(isItem) : [];
  });
  return parts.length === 0 ? [value] : parts.flatMap(innerParts);
}

/** A list of plain values: steps are taken out of sections, and keywords in one text are separated. */
export function* readList(
  values: readonly StructuredValue[],
  scalar: Scalar,
  field: string,
): Steps<(string | number | boolean)[] | undefined> {
  const flat = values.flatMap(innerParts);
  const [only] = flat;
  const isJoined = flat.length === 1 && typeof only === "string" && /^(?:keywords|tags)$/.test(plainName(field));
  const parts = isJoined
    ? only
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
    : flat;
  const list = new Map<string, string | number | boolean>();
  for (const [index, value] of parts.entries()) {
    if (index % valuesInStep === valuesInStep - 1) yield;
    const read = readField(value, scalar, field);
    if (read === undefined) return undefined;
    list.set(sameScalar(read), read);
  }
  return parts.length === 0 ? undefined : [...list.values()];
}
