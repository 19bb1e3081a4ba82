/** The things that a page declares for a list of the schema: those of a declared list, of a type, or of a table. */

import type { StructuredItem, StructuredTable } from "../contract/structured-data.ts";
import type { Steps } from "../shared/turn.ts";
import { type JsonObject, setKey } from "./json-value.ts";
import { propertyNames, propertyOf, typesOf } from "./schema-parts.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { furniture, holdsAnything, listedAs, plainName } from "./structured-names.ts";
import type { StructuredReading } from "./structured-reading.ts";
import { groupThings } from "./structured-things.ts";
import { isItem, readScalar, valuesAt } from "./structured-values.ts";

/**
 * A list of things: a declared list, all things of the type, or a table with these columns. Things of a type other
 * than the list's name are not part of it, however well they fit: the page's article is no member of a `team`.
 */
export function* readThingList(
  reading: StructuredReading,
  itemSchema: SchemaNode | undefined,
  name: string | undefined,
  hasSubject = false,
): Steps<readonly JsonObject[] | undefined> {
  if (!typesOf(itemSchema, reading.resolve).has("object")) return undefined;
  const tables: JsonObject[][] = [];
  for (const table of reading.data.tables) {
    const rows = yield* readRows(reading, itemSchema, table);
    if (rows !== undefined) tables.push(rows);
  }
  if (!reading.mayDo(reading.data.items.length)) return undefined;
  for (const listed of listedThings(reading, name, hasSubject)) {
    const things = yield* fillEach(reading, itemSchema, listed);
    if (things !== undefined) return yield* checkEach(reading, itemSchema, things);
  }
  return tables.length === 1 ? yield* checkEach(reading, itemSchema, tables[0]!) : undefined;
}

function* checkEach(
  reading: StructuredReading,
  schema: SchemaNode | undefined,
  things: readonly JsonObject[],
): Steps<readonly JsonObject[]> {
  for (const thing of things) {
    yield;
    reading.check(schema, thing);
  }
  return things;
}

/** Each of the things in the form of the schema; undefined if there are none, or if one cannot be written so. */
function* fillEach(
  reading: StructuredReading,
  schema: SchemaNode | undefined,
  things: readonly StructuredItem[][],
): Steps<JsonObject[] | undefined> {
  const filled: JsonObject[] = [];
  for (const thing of things) {
    yield;
    const value = reading.mayDo(propertyNames(schema, reading.resolve).length)
      ? yield* reading.fill(schema, thing)
      : undefined;
    if (value === undefined) return undefined;
    filled.push(value);
  }
  return filled.length > 0 ? filled : undefined;
}

/** The things that a list of this name may be meant to contain, the likeliest first. */
function listedThings(reading: StructuredReading, name: string | undefined, hasSubject: boolean): StructuredItem[][][] {
  const { items } = reading.data;
  if (name !== undefined && !holdsAnything(name)) {
    // Questions are what their page is about, and within it.
    const about = valuesAt(items, "mainEntity").filter(isItem);
    const isListed = listedAs(name);
    return [declaredList(items), items, about].map((found) =>
      groupThings(found.filter(({ types }) => isListed(types))),
    );
  }
  // If there are fields about the page's one thing too, a list of anything contains other things.
  if (hasSubject) return [];
  const content = groupThings(items.filter(({ types }) => !types.some((type) => furniture.has(type))));
  // A single thing is what the page is about, and things of several types are not a list.
  const isList = content.length > 1 && new Set(content.map(([item]) => item!.types[0])).size === 1;
  return [groupThings(declaredList(items)), ...(isList ? [content] : [])];
}

/** The things of the page's only declared list; breadcrumbs do not count. */
function declaredList(items: readonly StructuredItem[]): StructuredItem[] {
  const lists = items.filter(({ types }) => types.includes("ItemList") || types.includes("OfferCatalog"));
  if (lists.length !== 1) return [];
  return valuesAt(lists, "itemListElement").flatMap((entry) => {
    if (!isItem(entry)) return [];
    const inner = valuesAt([entry], "item").filter(isItem);
    return entry.types.includes("ListItem") && inner.length > 0 ? inner : [entry];
  });
}

/** The rows of a table whose columns are the fields of the schema, or enough of them. */
function* readRows(
  reading: StructuredReading,
  itemSchema: SchemaNode | undefined,
  { headers, rows }: StructuredTable,
): Steps<JsonObject[] | undefined> {
  yield;
  const names = propertyNames(itemSchema, reading.resolve);
  if (!reading.mayDo(headers.length + names.length)) return undefined;
  const places = columnsOf(headers);
  const columns = names.map((name) => places.get(reading.fields.plainName(name)) ?? -1);
  const found = names.filter((_, index) => columns[index] !== -1);
  if (found.length < 2 || !reading.isEnough(itemSchema, names, (name) => found.includes(name))) return undefined;
  if (!reading.mayDo(rows.length * names.length)) return undefined;
  const scalars = names.map((name) => reading.scalarOf(propertyOf(itemSchema, name, reading.resolve)));
  const items: JsonObject[] = [];
  for (const row of rows) {
    yield;
    const item: JsonObject = {};
    for (const [index, name] of names.entries()) {
      if (columns[index] === -1) continue;
      const scalar = scalars[index];
      const value = scalar === undefined ? undefined : readScalar(row[columns[index]!]!, scalar);
      if (value === undefined) return undefined;
      setKey(item, name, value);
    }
    items.push(item);
  }
  return items;
}

/** The place of each column by its plain name; a header may have a unit or a currency in brackets. */
function columnsOf(headers: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, header] of headers.entries()) {
    // No name is longer; a bracket is looked for from each that opens one.
    const short = header.slice(0, 250);
    for (const name of [short, short.replace(/\([^()]{0,40}\)\s*$/, "")].map(plainName)) {
      if (!places.has(name)) places.set(name, index);
    }
  }
  return places;
}
