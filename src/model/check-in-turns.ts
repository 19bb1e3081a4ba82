/** Checks long values against a schema in several turns of the event loop: the items of their lists one by one. */
import type { JsonSchema } from "../contract/schema-option.ts";
import { Turn } from "../shared/turn.ts";
import { isObject } from "./json-value.ts";
import { itemsOf, propertyOf } from "./schema-parts.ts";
import { createResolver, type Resolve } from "./schema-references.ts";
import { Checked, type ValidationIssue } from "./schema-run.ts";
import { partValidators, type Validate } from "./schema-validator.ts";
import type { SchemaNode } from "./schema-walk.ts";

/** What is wrong with a value, as from `partValidators`. */
export function checkInTurns(schema: JsonSchema, value: unknown): Promise<ValidationIssue[]> {
  return new LongCheck(schema).check(schema, value);
}

/**
 * Most steps for the items of all lists: with its references, a schema may ask for any number of steps for each. What is
 * left is checked with the whole, which has a limit of its own.
 */
const mostSteps = 20_000_000;

class LongCheck {
  readonly #resolve: Resolve;
  readonly #checked = new Checked();
  readonly #validatorOf: (part: SchemaNode) => Validate;
  readonly #turn = new Turn();

  constructor(schema: JsonSchema) {
    this.#resolve = createResolver(schema);
    this.#validatorOf = partValidators(schema, this.#checked);
  }

  async check(schema: SchemaNode, value: unknown): Promise<ValidationIssue[]> {
    await this.#checkItems(schema, value);
    return this.#validatorOf(schema)(value);
  }

  async #checkItems(schema: SchemaNode | undefined, value: unknown): Promise<void> {
    if (Array.isArray(value)) {
      const form = itemsOf(schema, this.#resolve);
      for (const item of form === undefined ? [] : value) if (isContainer(item)) await this.#checkItem(form!, item);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (this.#turn.isOver()) await this.#turn.next();
        const inner = value[key];
        if (isContainer(inner)) await this.#checkItems(propertyOf(schema, key, this.#resolve), inner);
      }
    }
  }

  async #checkItem(form: SchemaNode, item: object): Promise<void> {
    if (this.#turn.isOver()) await this.#turn.next();
    if (this.#checked.steps > mostSteps) return;
    await this.#checkItems(form, item);
    if (this.#validatorOf(form)(item).length === 0) this.#checked.fitting.set(item, form);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
