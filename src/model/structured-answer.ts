/**
 * Fills a schema from the data that a page declares about itself, as far as that is certain; the rest is left to the
 * model.
 */

import type { JsonSchema } from "../contract/schema-option.ts";
import type { StructuredData, StructuredItem } from "../contract/structured-data.ts";
import type { Steps } from "../shared/turn.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { Descriptions } from "./plain-wish.ts";
import { itemsOf, propertyNames, propertyOf, typesOf } from "./schema-parts.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { readThingList } from "./structured-list.ts";
import { fieldTags, generalFields, isOfType, plainName, typesNamed } from "./structured-names.ts";
import { StructuredReading } from "./structured-reading.ts";
import { findSubject } from "./structured-subject.ts";
import { groupThings } from "./structured-things.ts";
import { onlyValue } from "./structured-values.ts";

export interface StructuredAnswer {
  /** The declared data in the form of the schema; undefined if there is none. */
  readonly value: unknown;
  /** Top-level fields of the schema that the answer fills completely. */
  readonly answered: ReadonlySet<string>;
  /** Top-level fields whose descriptions set a condition that a declared value may not meet. */
  readonly conditional: ReadonlySet<string>;
  /** Nothing that the answer fills has a condition. */
  readonly isPlain: boolean;
  /** The answer fills the whole schema. */
  readonly complete: boolean;
  /** The page declares more than could be read: lists may lack members. */
  readonly isCut: boolean;
}

const nothing: StructuredAnswer = {
  value: undefined,
  answered: new Set(),
  conditional: new Set(),
  isPlain: true,
  complete: false,
  isCut: false,
};

/** @param selects only some of the declared things may be wanted, so that every list has a condition */
export function* answerFromStructure(
  schema: JsonSchema,
  data: StructuredData,
  selects = false,
): Steps<StructuredAnswer> {
  const reading = new StructuredReading(schema, data);
  const types = typesOf(schema, reading.resolve);
  if (types.has("array")) {
    const list = yield* readThingList(reading, itemsOf(schema, reading.resolve), undefined);
    if (list === undefined || !reading.fits(schema, list)) return nothing;
    const isPlain = !selects && !new Descriptions(reading.resolve).sayMore(schema, []);
    return { ...nothing, value: list, isPlain, complete: isWholeValue(reading, schema, list), isCut: reading.isCut };
  }
  if (!types.has("object")) return nothing;
  return yield* readObject(reading, schema, selects);
}

/** The schema's own object: fields of the one thing that the page is about, and lists and objects of things. */
function* readObject(reading: StructuredReading, schema: JsonSchema, selects: boolean): Steps<StructuredAnswer> {
  const value: JsonObject = {};
  const names = propertyNames(schema, reading.resolve);
  const subject = yield* findSubject(reading, schema, names);
  const labelled = labelledValues(reading);
  for (const name of names) {
    yield;
    const part = propertyOf(schema, name, reading.resolve);
    if (reading.hasConditions(part)) continue;
    const found =
      (yield* readThingField(reading, part, name, subject !== undefined)) ??
      (yield* reading.field(part, name, subject)) ??
      (yield* undeclared(reading, labelled, part, name, subject));
    if (found !== undefined) setKey(value, name, found);
  }
  // A value that does not fit the schema was not certain.
  for (const [name, found] of Object.entries(value)) {
    yield;
    const part = propertyOf(schema, name, reading.resolve);
    if (!reading.fits(part, found)) delete value[name];
  }
  if (Object.keys(value).length === 0) return nothing;
  const whole = new Set(names.filter((name) => hasWhole(reading, schema, value, name)));
  const descriptions = new Descriptions(reading.resolve);
  const around = typeof schema["title"] === "string" ? [schema["title"]] : [];
  const isConditional = (name: string): boolean => {
    const part = propertyOf(schema, name, reading.resolve);
    return (selects && Array.isArray(value[name])) || descriptions.sayMore(part, [...around, name]);
  };
  const conditional = new Set(names.filter(isConditional));
  return {
    value,
    answered: new Set([...whole].filter((name) => !conditional.has(name))),
    conditional,
    isPlain: Object.keys(value).every((name) => !conditional.has(name)),
    complete: names.every((name) => whole.has(name)),
    isCut: reading.isCut,
  };
}

/**
 * Whether a value fills everything in its schema; in a list, one thing may fill what others leave open. A list that may
 * lack members is not whole.
 */
function isWholeValue(reading: StructuredReading, schema: SchemaNode | undefined, value: unknown): boolean {
  const things = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
  if (things.length === 0) return true;
  if (Array.isArray(value) && reading.isCut) return false;
  const form = Array.isArray(value) ? itemsOf(schema, reading.resolve) : schema;
  return propertyNames(form, reading.resolve).every((name) =>
    things.some((thing) => hasWhole(reading, form, thing, name)),
  );
}

/** Whatever the property is called: every object inherits a `constructor`. */
function hasWhole(
  reading: StructuredReading,
  schema: SchemaNode | undefined,
  thing: JsonObject,
  name: string,
): boolean {
  return Object.hasOwn(thing, name) && isWholeValue(reading, propertyOf(schema, name, reading.resolve), thing[name]);
}

/** A field that contains things: `products`, or `event` with an object of its own. */
function* readThingField(
  reading: StructuredReading,
  part: SchemaNode | undefined,
  name: string,
  hasSubject: boolean,
): Steps<unknown> {
  const types = typesOf(part, reading.resolve);
  if (types.has("array")) {
    const items = itemsOf(part, reading.resolve);
    return typesOf(items, reading.resolve).has("object")
      ? yield* readThingList(reading, items, name, hasSubject)
      : undefined;
  }
  const wanted = types.has("object") ? typesNamed(name) : undefined;
  if (wanted === undefined || !reading.mayDo(reading.data.items.length)) return undefined;
  const things = groupThings(reading.data.items.filter((item) => isOfType(item.types, wanted)));
  return things.length === 1 ? yield* reading.fill(part, things[0]!) : undefined;
}

/** Open Graph tags, if nothing better is declared, and labels with their values. */
function* undeclared(
  reading: StructuredReading,
  labelled: ReadonlyMap<string, readonly string[]>,
  part: SchemaNode | undefined,
  name: string,
  subject: readonly StructuredItem[] | undefined,
): Steps<unknown> {
  const scalar = reading.scalarOf(part);
  if (scalar === undefined) return undefined;
  const plain = plainName(name);
  const tags = Object.hasOwn(fieldTags, plain) ? fieldTags[plain]! : [];
  // A title or a picture, which every page has, need not be that of the declared thing.
  if (subject === undefined || !generalFields.has(plain)) {
    const tagged = tags.flatMap((tag) => (Object.hasOwn(reading.data.tags, tag) ? reading.data.tags[tag]! : []));
    if (tagged.length > 0) return yield* onlyValue(tagged, scalar, name);
  }
  const values = labelled.get(plain) ?? [];
  return values.length > 0 && !generalFields.has(plain) ? yield* onlyValue(values, scalar, name) : undefined;
}

/** The values of the page's labels, by the plain names of these. */
function labelledValues({ data, fields }: StructuredReading): ReadonlyMap<string, readonly string[]> {
  const pairs = Map.groupBy(data.pairs, ([label]) => fields.plainName(label));
  return new Map([...pairs].map(([name, found]) => [name, found.map(([, value]) => value)]));
}
