/** What remains of a value that does not fit its schema: everything but the properties and items that do not fit. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { Turn } from "../shared/turn.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { allSchemas } from "./schema-check.ts";
import { itemsOf, propertyOf } from "./schema-parts.ts";
import { createResolver, type Resolve, type SchemaNode } from "./schema-references.ts";
import { partValidators, type Validate } from "./schema-validator.ts";

/** Most values that are checked one by one; an answer with more of them is not taken apart any further. */
const maxChecked = 10_000;

/**
 * Undefined if nothing remains. Large values take several turns of the event loop.
 *
 * @param schema one that requires nothing (see `partialForm`)
 * @example
 * await fittingParts({ items: { properties: { n: { type: "number" } } } }, [{ n: 1, a: 2 }, { n: "x", a: 3 }]);
 * // [{ n: 1, a: 2 }, { a: 3 }]
 */
export function fittingParts(schema: JsonSchema, value: unknown): Promise<unknown> {
  return new Sieve(schema).fitting(schema, value);
}

class Sieve {
  readonly #resolve: Resolve;
  readonly #validatorOf: (part: SchemaNode) => Validate;
  readonly #turn = new Turn();
  #checked = 0;

  constructor(schema: JsonSchema) {
    this.#resolve = createResolver(schema, allSchemas(schema));
    this.#validatorOf = partValidators(schema);
  }

  async fitting(schema: SchemaNode | undefined, value: unknown): Promise<unknown> {
    if (schema === undefined) return value;
    if (this.#turn.isOver()) await this.#turn.next();
    if (this.#checked++ > maxChecked) return undefined;
    if (this.#fits(schema, value)) return value;
    const rest = await this.#withoutMisfits(schema, value);
    return rest !== undefined && this.#fits(schema, rest) ? rest : undefined;
  }

  #fits(schema: SchemaNode, value: unknown): boolean {
    return this.#validatorOf(schema)(value).length === 0;
  }

  async #withoutMisfits(schema: SchemaNode, value: unknown): Promise<unknown> {
    if (Array.isArray(value)) {
      const form = itemsOf(schema, this.#resolve);
      const items: unknown[] = [];
      for (const item of value) {
        const rest = await this.fitting(form, item);
        if (rest !== undefined) items.push(rest);
      }
      return items.length === 0 ? undefined : items;
    }
    if (!isObject(value)) return undefined;
    const properties: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      const rest = await this.fitting(propertyOf(schema, key, this.#resolve), item);
      if (rest !== undefined) setKey(properties, key, rest);
    }
    return Object.keys(properties).length === 0 ? undefined : properties;
  }
}
