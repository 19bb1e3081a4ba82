/**
 * Fills a schema from the data that a page declares about itself, as far as that is certain; the rest is left to the
 * model.
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import type { StructuredData, StructuredItem, StructuredTable } from "../contract/structured-data.ts";
import type { Steps } from "../shared/turn.ts";
import { comparableText } from "./comparable-text.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { Descriptions } from "./plain-wish.ts";
import { allSchemas } from "./schema-check.ts";
import { itemsOf, propertyNames, propertyOf, requiredNames, typesOf } from "./schema-parts.ts";
import { createResolver, type Resolve, type SchemaNode } from "./schema-references.ts";
import { Checked, partValidators, type Validate } from "./schema-validator.ts";
import { StructuredFields } from "./structured-fields.ts";
import {
  fieldTags,
  furniture,
  generalFields,
  holdsAnything,
  isOfType,
  listedAs,
  plainName,
  typesNamed,
} from "./structured-names.ts";
import { groupThings, hasConditions, nameOf } from "./structured-things.ts";
import { isItem, onlyValue, readList, readScalar, type Scalar, scalarOf, valuesAt } from "./structured-values.ts";

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
  const reader = new StructureReader(schema, data);
  const types = typesOf(schema, reader.resolve);
  if (types.has("array")) {
    const list = yield* reader.list(itemsOf(schema, reader.resolve), undefined);
    if (list === undefined || !reader.fits(schema, list)) return nothing;
    const isPlain = !selects && !new Descriptions(reader.resolve).sayMore(schema, []);
    return { ...nothing, value: list, isPlain, complete: reader.isWhole(schema, list), isCut: reader.isCut };
  }
  if (!types.has("object")) return nothing;
  return yield* reader.object(schema, selects);
}

/**
 * Most things, fields of things and cells of tables that are looked at: each list of a schema is searched for in all
 * that the page declares. A list needs a few for each of its members.
 */
const mostWork = 1_500_000;

class StructureReader {
  readonly resolve: Resolve;
  readonly #data: StructuredData;
  readonly #fields = new StructuredFields();
  #work = mostWork;
  readonly #scalars = new Map<object, Scalar | undefined>();
  /** Values by the plain names of their labels. */
  readonly #labelled: ReadonlyMap<string, readonly string[]>;
  readonly #checked = new Checked();
  readonly #validatorOf: (part: SchemaNode) => Validate;

  constructor(schema: JsonSchema, data: StructuredData) {
    this.resolve = createResolver(schema, allSchemas(schema));
    this.#data = data;
    this.#validatorOf = partValidators(schema, this.#checked);
    const pairs = Map.groupBy(data.pairs, ([label]) => this.#fields.plainName(label));
    this.#labelled = new Map([...pairs].map(([name, found]) => [name, found.map(([, value]) => value)]));
  }

  /** Whether lists may lack members. */
  get isCut(): boolean {
    return this.#data.isCut === true || this.#work < 0;
  }

  fits(part: SchemaNode | undefined, value: unknown): boolean {
    return part === undefined || this.#validatorOf(part)(value).length === 0;
  }

  /** Checks each thing of a list by itself, so that the check of a long list need not look at them again. */
  *#checkEach(schema: SchemaNode | undefined, things: readonly JsonObject[]): Steps<readonly JsonObject[]> {
    for (const thing of things) {
      yield;
      if (schema !== undefined && this.fits(schema, thing)) this.#checked.fitting.set(thing, schema);
    }
    return things;
  }

  /** Counts the work; false if there has been too much of it. */
  #mayDo(work: number): boolean {
    this.#work -= work;
    return this.#work >= 0;
  }

  /** The schema's own object: fields of the one thing that the page is about, and lists and objects of things. */
  *object(schema: JsonSchema, selects: boolean): Steps<StructuredAnswer> {
    const value: JsonObject = {};
    const names = propertyNames(schema, this.resolve);
    const subject = yield* this.#subject(schema, names);
    for (const name of names) {
      yield;
      const part = propertyOf(schema, name, this.resolve);
      if (hasConditions(part)) continue;
      const found =
        (yield* this.#things(part, name, subject !== undefined)) ??
        this.#field(part, name, subject) ??
        this.#undeclared(part, name, subject);
      if (found !== undefined) setKey(value, name, found);
    }
    // A value that does not fit the schema was not certain.
    for (const [name, found] of Object.entries(value)) {
      yield;
      const part = propertyOf(schema, name, this.resolve);
      if (!this.fits(part, found)) delete value[name];
    }
    if (Object.keys(value).length === 0) return nothing;
    const isWhole = (name: string) => this.isWhole(propertyOf(schema, name, this.resolve), value[name]);
    const whole = new Set(names.filter(isWhole));
    const descriptions = new Descriptions(this.resolve);
    const around = typeof schema["title"] === "string" ? [schema["title"]] : [];
    const isConditional = (name: string): boolean => {
      const part = propertyOf(schema, name, this.resolve);
      return (selects && Array.isArray(value[name])) || descriptions.sayMore(part, [...around, name]);
    };
    const conditional = new Set(names.filter(isConditional));
    return {
      value,
      answered: new Set([...whole].filter((name) => !conditional.has(name))),
      conditional,
      isPlain: Object.keys(value).every((name) => !conditional.has(name)),
      complete: names.every((name) => whole.has(name)),
      isCut: this.isCut,
    };
  }

  /**
   * Whether a value fills everything in its schema; in a list, one thing may fill what others leave open. A list that may
   * lack members is not whole.
   */
  isWhole(schema: SchemaNode | undefined, value: unknown): boolean {
    if (value === undefined) return false;
    const things = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
    if (things.length === 0) return true;
    if (Array.isArray(value) && this.isCut) return false;
    const form = Array.isArray(value) ? itemsOf(schema, this.resolve) : schema;
    return propertyNames(form, this.resolve).every((name) =>
      things.some(
        (thing) => Object.hasOwn(thing, name) && this.isWhole(propertyOf(form, name, this.resolve), thing[name]),
      ),
    );
  }

  /** A field that contains things: `products`, or `event` with an object of its own. */
  *#things(part: SchemaNode | undefined, name: string, hasSubject: boolean): Steps<unknown> {
    const types = typesOf(part, this.resolve);
    if (types.has("array")) {
      const items = itemsOf(part, this.resolve);
      return typesOf(items, this.resolve).has("object") ? yield* this.list(items, name, hasSubject) : undefined;
    }
    const wanted = types.has("object") ? typesNamed(name) : undefined;
    if (wanted === undefined || !this.#mayDo(this.#data.items.length)) return undefined;
    const things = groupThings(this.#data.items.filter((item) => isOfType(item.types, wanted)));
    return things.length === 1 ? this.#fill(part, things[0]!) : undefined;
  }

  /**
   * A list of things: a declared list, all things of the type, or a table with these columns. Things of a type other
   * than the list's name are not part of it, however well they fit: the page's article is no member of a `team`.
   */
  *list(
    itemSchema: SchemaNode | undefined,
    name: string | undefined,
    hasSubject = false,
  ): Steps<readonly JsonObject[] | undefined> {
    if (!typesOf(itemSchema, this.resolve).has("object")) return undefined;
    const tables: JsonObject[][] = [];
    for (const table of this.#data.tables) {
      const rows = yield* this.#rows(itemSchema, table);
      if (rows !== undefined) tables.push(rows);
    }
    if (!this.#mayDo(this.#data.items.length)) return undefined;
    for (const listed of this.#listed(name, hasSubject)) {
      const things = yield* this.#fillEach(itemSchema, listed);
      if (things !== undefined) return yield* this.#checkEach(itemSchema, things);
    }
    return tables.length === 1 ? yield* this.#checkEach(itemSchema, tables[0]!) : undefined;
  }

  /** Each of the things in the form of the schema; undefined if there are none, or if one cannot be written so. */
  *#fillEach(schema: SchemaNode | undefined, things: readonly StructuredItem[][]): Steps<JsonObject[] | undefined> {
    const filled: JsonObject[] = [];
    for (const thing of things) {
      yield;
      const value = this.#mayDo(propertyNames(schema, this.resolve).length) ? this.#fill(schema, thing) : undefined;
      if (value === undefined) return undefined;
      filled.push(value);
    }
    return filled.length > 0 ? filled : undefined;
  }

  /** The things that a list of this name may be meant to contain, the likeliest first. */
  #listed(name: string | undefined, hasSubject: boolean): StructuredItem[][][] {
    const { items } = this.#data;
    if (name !== undefined && !holdsAnything(name)) {
      // Questions are what their page is about, and within it.
      const about = valuesAt(items, "mainEntity").filter(isItem);
      const isListed = listedAs(name);
      return [this.#declaredList(), items, about].map((found) =>
        groupThings(found.filter(({ types }) => isListed(types))),
      );
    }
    // If there are fields about the page's one thing too, a list of anything contains other things.
    if (hasSubject) return [];
    const content = groupThings(items.filter(({ types }) => !types.some((type) => furniture.has(type))));
    // A single thing is what the page is about, and things of several types are not a list.
    const isList = content.length > 1 && new Set(content.map(([item]) => item!.types[0])).size === 1;
    return [groupThings(this.#declaredList()), ...(isList ? [content] : [])];
  }

  /** The things of the page's only declared list; breadcrumbs do not count. */
  #declaredList(): StructuredItem[] {
    const lists = this.#data.items.filter(({ types }) => types.includes("ItemList") || types.includes("OfferCatalog"));
    if (lists.length !== 1) return [];
    return valuesAt(lists, "itemListElement").flatMap((entry) => {
      if (!isItem(entry)) return [];
      const inner = valuesAt([entry], "item").filter(isItem);
      return entry.types.includes("ListItem") && inner.length > 0 ? inner : [entry];
    });
  }

  /** A thing in the form of the schema, if it fills enough of it. */
  #fill(schema: SchemaNode | undefined, thing: readonly StructuredItem[]): JsonObject | undefined {
    const value: JsonObject = {};
    const names = propertyNames(schema, this.resolve);
    for (const name of names) {
      const part = propertyOf(schema, name, this.resolve);
      const found = hasConditions(part) ? undefined : this.#field(part, name, thing);
      if (found !== undefined) setKey(value, name, found);
    }
    return this.#isEnough(schema, names, (name) => Object.hasOwn(value, name)) ? value : undefined;
  }

  /** Whether everything is there that is required, or, if nothing is required, at least two fields and half of all. */
  #isEnough(schema: SchemaNode | undefined, names: readonly string[], isThere: (name: string) => boolean): boolean {
    const required = requiredNames(schema, this.resolve);
    if (required.size > 0) return required.values().every(isThere);
    const count = names.filter(isThere).length;
    return count > 0 && count >= Math.min(names.length, Math.max(2, names.length / 2));
  }

  /** A field of a thing: a plain value, a list of them, or an object that is one of its parts. */
  #field(part: SchemaNode | undefined, name: string, thing: readonly StructuredItem[] | undefined): unknown {
    if (thing === undefined) return undefined;
    const types = typesOf(part, this.resolve);
    const items = types.has("array") ? itemsOf(part, this.resolve) : part;
    const holdsThings = typesOf(items, this.resolve).has("object");
    const values = holdsThings ? this.#fields.thingsOf(thing, name) : this.#fields.valuesOf(thing, name);
    if (values.length === 0) return undefined;
    if (types.has("array")) {
      const scalar = this.#scalarOf(items);
      if (scalar !== undefined) return readList(values, scalar, name);
      const parts = values.filter(isItem).map((item) => this.#fill(items, [item]));
      return parts.length === values.length && !parts.includes(undefined) ? parts : undefined;
    }
    const scalar = this.#scalarOf(part);
    if (scalar !== undefined) return onlyValue(values, scalar, name);
    const things = values.filter(isItem);
    return holdsThings && things.length === 1 && things.length === values.length ? this.#fill(part, things) : undefined;
  }

  /** Cached, because it is asked for many values of each thing. */
  #scalarOf(part: SchemaNode | undefined): Scalar | undefined {
    if (!isObject(part)) return undefined;
    if (!this.#scalars.has(part)) this.#scalars.set(part, scalarOf(part, this.resolve));
    return this.#scalars.get(part);
  }

  /** Open Graph tags, if nothing better is declared, and labels with their values. */
  #undeclared(part: SchemaNode | undefined, name: string, subject: readonly StructuredItem[] | undefined): unknown {
    const scalar = this.#scalarOf(part);
    if (scalar === undefined) return undefined;
    const plain = plainName(name);
    const tags = Object.hasOwn(fieldTags, plain) ? fieldTags[plain]! : [];
    // A title or a picture, which every page has, need not be that of the declared thing.
    if (subject === undefined || !generalFields.has(plain)) {
      const values = tags.flatMap((tag) => (Object.hasOwn(this.#data.tags, tag) ? this.#data.tags[tag]! : []));
      if (values.length > 0) return onlyValue(values, scalar, name);
    }
    const labelled = this.#labelled.get(plain) ?? [];
    return labelled.length > 0 && !generalFields.has(plain) ? onlyValue(labelled, scalar, name) : undefined;
  }

  /**
   * The one thing that the page is about and that fits the schema, with everything that is declared about it; undefined
   * if there are several, or none.
   */
  *#subject(schema: JsonSchema, names: readonly string[]): Steps<readonly StructuredItem[] | undefined> {
    const byPlain = Map.groupBy(names, (name) => this.#fields.plainName(name));
    const scored: { thing: StructuredItem[]; matched: number; telling: number; isFurniture: boolean }[] = [];
    for (const thing of groupThings(this.#data.items)) {
      yield;
      const held = this.#fields.held(thing, byPlain);
      const matched = held.filter(
        (name) => this.#field(propertyOf(schema, name, this.resolve), name, thing) !== undefined,
      );
      const telling = held.filter(
        (name) => !generalFields.has(plainName(name)) && this.#fields.valuesOf(thing, name).length > 0,
      ).length;
      const isFurniture = thing.every(({ types }) => types.some((type) => furniture.has(type)) || types.length === 0);
      scored.push({ thing, matched: matched.length, telling, isFurniture });
    }
    const content = scored.filter(({ isFurniture }) => !isFurniture);
    const onlyGeneral = names.every((name) => generalFields.has(plainName(name)));
    const able = content.filter(({ matched, telling }) => telling > 0 || (onlyGeneral && matched > 0));
    const candidates = able.length > 0 ? able : content.length > 0 ? [] : scored.filter(({ telling }) => telling >= 2);
    const most = candidates.reduce((highest, { matched }) => Math.max(highest, matched), 0);
    const best = candidates.filter(({ matched }) => matched === most).map(({ thing }) => thing);
    const isBest = new Set<unknown>(best);
    // The page also shows other things of the same type; the one it is about has the page's name.
    const types = best[0]?.flatMap((item) => item.types) ?? [];
    const rivals = content
      .filter(
        ({ thing, matched }) => matched > 0 && !isBest.has(thing) && thing.some((item) => isOfType(item.types, types)),
      )
      .map(({ thing }) => thing);
    if (best.length === 1 && rivals.length === 0) return best[0];
    const called = [...best, ...rivals].filter((thing) => this.#isCalled(thing));
    return called.length === 1 && isBest.has(called[0]) ? called[0] : undefined;
  }

  /** Whether the page has the name of the thing; a title may continue with the name of the site. */
  #isCalled(thing: readonly StructuredItem[]): boolean {
    const name = nameOf(thing[0]!);
    return (
      name !== "" &&
      this.#data.headings.some(
        (heading) => comparableText(heading) === name || comparableText(heading.split(/\s[|–—·-]\s/)[0]!) === name,
      )
    );
  }

  /** The rows of a table whose columns are the fields of the schema, or enough of them. */
  *#rows(itemSchema: SchemaNode | undefined, { headers, rows }: StructuredTable): Steps<JsonObject[] | undefined> {
    const names = propertyNames(itemSchema, this.resolve);
    if (!this.#mayDo(headers.length * names.length)) return undefined;
    const columns = names.map((name) => headers.findIndex((header) => isColumnOf(header, plainName(name))));
    const found = names.filter((_, index) => columns[index] !== -1);
    if (found.length < 2 || !this.#isEnough(itemSchema, names, (name) => found.includes(name))) return undefined;
    if (!this.#mayDo(rows.length * names.length)) return undefined;
    const scalars = names.map((name) => this.#scalarOf(propertyOf(itemSchema, name, this.resolve)));
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
}

/** A header may have a unit or a currency in brackets. */
function isColumnOf(header: string, plain: string): boolean {
  return plainName(header) === plain || plainName(header.replace(/\([^()]{0,40}\)\s*$/, "")) === plain;
}
