/** A null means that the page does not tell. If the schema does not allow null, the property is removed instead. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { Turn } from "../shared/turn.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { itemsOf, propertyOf, requiredNames } from "./schema-parts.ts";
import { createResolver } from "./schema-references.ts";
import { partValidators } from "./schema-validator.ts";
import type { SchemaNode } from "./schema-walk.ts";

/**
 * Nulls of required properties are kept, so that the check of the answer reports them, and so are those in a row of a
 * table, a list in a list: without them, the values after them would be in the wrong columns. Long lists and objects
 * take several turns of the event loop.
 */
export function withoutNulls(schema: JsonSchema, value: unknown): Promise<unknown> {
  return new Stripper(schema).strip(schema, value);
}

class Stripper {
  readonly #resolve: (reference: string) => SchemaNode | undefined;
  readonly #validatorOf: (part: SchemaNode) => (value: unknown) => readonly unknown[];
  readonly #turn = new Turn();
  /** The required properties of each schema. */
  readonly #required = new Map<SchemaNode | undefined, ReadonlySet<string>>();
  readonly #nullable = new Map<SchemaNode, boolean>();

  constructor(schema: JsonSchema) {
    this.#resolve = createResolver(schema);
    this.#validatorOf = partValidators(schema);
  }

  async strip(schema: SchemaNode | undefined, value: unknown, isRow = false): Promise<unknown> {
    if (Array.isArray(value)) {
      const items = itemsOf(schema, this.#resolve);
      const kept = isRow || this.#allowsNull(items) ? value : value.filter((item) => item !== null);
      const result: unknown[] = [];
      for (const item of kept) {
        if (this.#turn.isOver()) await this.#turn.next();
        result.push(typeof item === "object" ? await this.strip(items, item, Array.isArray(item)) : item);
      }
      return result;
    }
    if (!isObject(value)) return value;
    const names = this.#requiredOf(schema);
    const result: JsonObject = {};
    // Not their entries, which for tens of thousands of keys take a tenth of a second.
    for (const key of Object.keys(value)) {
      if (this.#turn.isOver()) await this.#turn.next();
      const item = value[key];
      const part = propertyOf(schema, key, this.#resolve);
      if (item === null && !names.has(key) && !this.#allowsNull(part)) continue;
      setKey(result, key, typeof item === "object" ? await this.strip(part, item) : item);
    }
    return result;
  }

  #requiredOf(schema: SchemaNode | undefined): ReadonlySet<string> {
    const names = this.#required.get(schema) ?? requiredNames(schema, this.#resolve);
    this.#required.set(schema, names);
    return names;
  }

  /** The check of the answer decides, so that nothing is kept that it refuses. */
  #allowsNull(part: SchemaNode | undefined): boolean {
    if (part === undefined) return true;
    const allows = this.#nullable.get(part) ?? this.#validatorOf(part)(null).length === 0;
    this.#nullable.set(part, allows);
    return allows;
  }
}
