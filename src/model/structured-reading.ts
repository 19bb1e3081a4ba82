/** Reads the data that a page declares about itself in the form of a schema: single things, and their fields. */
import type { JsonSchema } from "../contract/schema-option.ts";
import type { StructuredData, StructuredItem, StructuredValue } from "../contract/structured-data.ts";
import type { Steps } from "../shared/turn.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { itemsOf, propertyNames, propertyOf, requiredNames, typesOf } from "./schema-parts.ts";
import { createResolver, type Resolve } from "./schema-references.ts";
import { Checked } from "./schema-run.ts";
import { partValidators, type Validate } from "./schema-validator.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { StructuredFields } from "./structured-fields.ts";
import { hasConditions } from "./structured-things.ts";
import { isItem, onlyValue, readList, type Scalar, scalarOf } from "./structured-values.ts";

/**
 * Most things, fields of things and cells of tables that are looked at: each list of a schema is searched for in all
 * that the page declares. A list needs a few for each of its members.
 */
const mostWork = 1_500_000;

/** One page read for one schema; counts the work of it. */
export class StructuredReading {
  readonly resolve: Resolve;
  readonly data: StructuredData;
  readonly fields = new StructuredFields();
  #work = mostWork;
  readonly #scalars = new Map<object, Scalar | undefined>();
  readonly #conditions = new Map<SchemaNode | undefined, boolean>();
  readonly #checked = new Checked();
  readonly #validatorOf: (part: SchemaNode) => Validate;

  constructor(schema: JsonSchema, data: StructuredData) {
    this.resolve = createResolver(schema);
    this.data = data;
    this.#validatorOf = partValidators(schema, this.#checked);
  }

  /** Whether lists may lack members. */
  get isCut(): boolean {
    return this.data.isCut === true || this.#work < 0;
  }

  /** Counts the work; false if there has been too much of it. */
  mayDo(work: number): boolean {
    this.#work -= work;
    return this.#work >= 0;
  }

  fits(part: SchemaNode | undefined, value: unknown): boolean {
    return part === undefined || this.#validatorOf(part)(value).length === 0;
  }

  /** Checks a thing of a list by itself, so that the check of a long list need not look at it again. */
  check(schema: SchemaNode | undefined, thing: JsonObject): void {
    if (schema !== undefined && this.fits(schema, thing)) this.#checked.fitting.set(thing, schema);
  }

  /** A thing in the form of the schema, if it fills enough of it. */
  *fill(schema: SchemaNode | undefined, thing: readonly StructuredItem[]): Steps<JsonObject | undefined> {
    const value: JsonObject = {};
    const names = propertyNames(schema, this.resolve);
    for (const name of names) {
      const part = propertyOf(schema, name, this.resolve);
      const found = this.hasConditions(part) ? undefined : yield* this.field(part, name, thing);
      if (found !== undefined) setKey(value, name, found);
    }
    return this.isEnough(schema, names, (name) => Object.hasOwn(value, name)) ? value : undefined;
  }

  /** Whether everything is there that is required, or, if nothing is required, at least two fields and half of all. */
  isEnough(schema: SchemaNode | undefined, names: readonly string[], isThere: (name: string) => boolean): boolean {
    const required = requiredNames(schema, this.resolve);
    if (required.size > 0) return required.values().every(isThere);
    const count = names.filter(isThere).length;
    return count > 0 && count >= Math.min(names.length, Math.max(2, names.length / 2));
  }

  /** A field of a thing: a plain value, a list of them, or an object that is one of its parts. */
  *field(part: SchemaNode | undefined, name: string, thing: readonly StructuredItem[] | undefined): Steps<unknown> {
    if (thing === undefined) return undefined;
    const types = typesOf(part, this.resolve);
    const items = types.has("array") ? itemsOf(part, this.resolve) : part;
    const holdsThings = typesOf(items, this.resolve).has("object");
    const values = holdsThings ? this.fields.thingsOf(thing, name) : this.fields.valuesOf(thing, name);
    if (values.length === 0) return undefined;
    if (types.has("array")) {
      const scalar = this.scalarOf(items);
      if (scalar !== undefined) return yield* readList(values, scalar, name);
      return yield* this.#parts(items, values);
    }
    const scalar = this.scalarOf(part);
    if (scalar !== undefined) return yield* onlyValue(values, scalar, name);
    const [only] = values;
    return holdsThings && values.length === 1 && isItem(only!) ? yield* this.fill(part, [only]) : undefined;
  }

  /** A list of things that are parts of one; undefined if one of them cannot be written so. */
  *#parts(schema: SchemaNode | undefined, values: readonly StructuredValue[]): Steps<JsonObject[] | undefined> {
    const parts: JsonObject[] = [];
    for (const value of values) {
      yield;
      const part = isItem(value) ? yield* this.fill(schema, [value]) : undefined;
      if (part === undefined) return undefined;
      this.check(schema, part);
      parts.push(part);
    }
    return parts;
  }

  /** Cached, because it is asked for each thing, and descriptions may be long. */
  hasConditions(part: SchemaNode | undefined): boolean {
    const known = this.#conditions.get(part) ?? hasConditions(part);
    this.#conditions.set(part, known);
    return known;
  }

  /** Cached, because it is asked for many values of each thing. */
  scalarOf(part: SchemaNode | undefined): Scalar | undefined {
    if (!isObject(part)) return undefined;
    if (!this.#scalars.has(part)) this.#scalars.set(part, scalarOf(part, this.resolve));
    return this.#scalars.get(part);
  }
}
