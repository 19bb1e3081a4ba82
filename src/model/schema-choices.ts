/** `enum` and `const` in the form in which values are compared, made once: lists may be long, and values many. */
import { canonicalJson } from "./json-value.ts";

interface Choices {
  readonly texts: ReadonlySet<string>;
  /** The beginning of the list, for a message. */
  readonly shown: string;
}

const longestShown = 200;

export class SchemaChoices {
  readonly #made = { enum: new Map<object, Choices>(), const: new Map<object, Choices>() };

  /** @param schema the schema that has the keyword */
  of(schema: object, keyword: "enum" | "const", choices: readonly unknown[]): Choices {
    let made = this.#made[keyword].get(schema);
    if (made === undefined) {
      made = { texts: new Set(choices.map(canonicalJson)), shown: JSON.stringify(choices).slice(0, longestShown) };
      this.#made[keyword].set(schema, made);
    }
    return made;
  }
}
