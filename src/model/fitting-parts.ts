/**
 * What remains of a value that does not fit its schema: everything but the properties and items that do not fit. A row
 * of a table, a list in a list, is kept or left out as a whole, because without a cell the others would be in the wrong
 * columns.
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import { Turn } from "../shared/turn.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { itemsOf, propertyOf } from "./schema-parts.ts";
import { createResolver, type Resolve } from "./schema-references.ts";
import { isUnfinished } from "./schema-run.ts";
import { partValidators, type Validate } from "./schema-validator.ts";
import type { SchemaNode } from "./schema-walk.ts";

/**
 * Undefined if nothing remains. Large values take several turns of the event loop.
 *
 * @param schema one that requires nothing (see `partialForm`)
 * @throws the signal's reason if it is aborted meanwhile
 * @example
 * const schema = { items: { properties: { n: { type: "number" } } } };
 * await fittingParts(schema, [{ n: 1, a: 2 }, { n: "x", a: 3 }], signal);
 * // [{ n: 1, a: 2 }, { a: 3 }]
 */
export function fittingParts(schema: JsonSchema, value: unknown, signal: AbortSignal): Promise<unknown> {
  return new Sieve(schema, signal).fitting(schema, value);
}

class Sieve {
  readonly #resolve: Resolve;
  readonly #validatorOf: (part: SchemaNode) => Validate;
  readonly #signal: AbortSignal;
  readonly #turn = new Turn();

  constructor(schema: JsonSchema, signal: AbortSignal) {
    this.#signal = signal;
    this.#resolve = createResolver(schema);
    this.#validatorOf = partValidators(schema);
  }

  async fitting(schema: SchemaNode | undefined, value: unknown, isRow = false): Promise<unknown> {
    if (schema === undefined) return value;
    if (this.#turn.isOver()) {
      await this.#turn.next();
      this.#signal.throwIfAborted();
    }
    const validate = this.#validatorOf(schema);
    if (validate(value).length === 0) return value;
    const rest = await this.#withoutMisfits(schema, value, isRow);
    // What is too much to be checked at once has been checked part by part.
    return rest !== undefined && validate(rest).every(isUnfinished) ? rest : undefined;
  }

  async #withoutMisfits(schema: SchemaNode, value: unknown, isRow: boolean): Promise<unknown> {
    if (Array.isArray(value)) {
      const form = itemsOf(schema, this.#resolve);
      const items: unknown[] = [];
      for (const item of value) {
        const rest = await this.fitting(form, item, Array.isArray(item));
        if (rest !== undefined) items.push(rest);
        else if (isRow) return undefined;
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
