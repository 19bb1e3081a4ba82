/**
 * Tells plain wishes from conditions. "The price of the product" says what the field's name says, so that a declared
 * price answers it; "the price in cents" says more, and only a model can tell whether the declared price is meant.
 */
import { withoutEnding } from "../shared/word-endings.ts";
import { isObject, maxLevels } from "./json-value.ts";
import { PlainWords, stems, wordsOf } from "./plain-words.ts";
import { applied, typesOf } from "./schema-parts.ts";
import type { Resolve } from "./schema-references.ts";
import type { SchemaNode } from "./schema-walk.ts";

/** Words that set no condition in what is said of lists; of a single value, a list price is a condition. */
const listWords: ReadonlySet<string> = stems("list array collection multiple");

/** Finds fields whose descriptions say more than their names. */
export class Descriptions {
  readonly #resolve: Resolve;
  readonly #known = new Map<SchemaNode, boolean>();
  /** Whether the properties and items of a node say more. */
  readonly #within = new Map<object, boolean>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /**
   * Whether anything in a part of the schema says more.
   *
   * @param names of the part, and of all around it
   */
  sayMore(part: SchemaNode | undefined, names: readonly string[], level = 0): boolean {
    if (part === undefined || level > maxLevels) return false;
    let known = this.#known.get(part);
    if (known === undefined) {
      // A part within itself says no more than it does.
      this.#known.set(part, false);
      known =
        this.#ownSayMore(part, names) ||
        applied(part, this.#resolve).some((node) => this.#innerSayMore(node, names, level));
      this.#known.set(part, known);
    }
    return known;
  }

  #ownSayMore(part: SchemaNode, names: readonly string[]): boolean {
    const types = typesOf(part, this.#resolve);
    const nodes = [...applied(part, this.#resolve)];
    const texts = nodes.flatMap(({ description, title }) => [
      typeof description === "string" ? description : "",
      // The title of an object is usually that of a class: `ProductDetails`.
      typeof title === "string" && (!types.has("object") || /\s/.test(title)) ? title : "",
    ]);
    if (texts.every((text) => text === "")) return false;
    const choices = nodes.flatMap((node) => (Array.isArray(node["enum"]) ? node["enum"].map(String) : []));
    const known = new PlainWords([...names, ...choices]);
    const isPlain = (word: string) => known.has(word) || (types.has("array") && listWords.has(withoutEnding(word)));
    return texts.some((text) => !wordsOf(text).every(isPlain));
  }

  /** Once for each node: thousands of parts may refer to one that has thousands of properties. */
  #innerSayMore(node: Readonly<Record<string, unknown>>, names: readonly string[], level: number): boolean {
    let known = this.#within.get(node);
    if (known === undefined) {
      this.#within.set(node, false);
      const { properties, items } = node;
      known =
        (isObject(items) && this.sayMore(items, names, level + 1)) ||
        (isObject(properties) &&
          Object.keys(properties).some((name) =>
            this.sayMore(properties[name] as SchemaNode, [...names, name], level + 1),
          ));
      this.#within.set(node, known);
    }
    return known;
  }
}
