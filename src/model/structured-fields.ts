/**
 * Finds values of declared things by the names of fields, reading each thing only once, however many names are asked
 * for.
 */
import type { StructuredItem, StructuredValue } from "../contract/structured-data.ts";
import { fieldsOf, otherThings, pathsTo, plainName } from "./structured-names.ts";
import { allOf, isItem, valuesAt } from "./structured-values.ts";

type ByName = ReadonlyMap<string, readonly StructuredValue[]>;

export class StructuredFields {
  readonly #plain = new Map<string, string>();
  readonly #own = new Map<StructuredItem, ByName>();
  /** One step below: `ratingValue` of the rating, `streetAddress` of the address. */
  readonly #below = new Map<StructuredItem, ByName>();

  plainName(name: string): string {
    let plain = this.#plain.get(name);
    if (plain === undefined) {
      plain = plainName(name);
      this.#plain.set(name, plain);
    }
    return plain;
  }

  /** The values of a field, by its name or by the paths where they are known to be. */
  valuesOf(items: readonly StructuredItem[], field: string): readonly StructuredValue[] {
    const plain = this.plainName(field);
    for (const path of pathsTo(plain, typesOf(items))) {
      const values = valuesAt(items, path);
      if (values.length > 0) return values;
    }
    const own = allOf(items, (item) => this.#ownOf(item).get(plain) ?? []);
    return own.length > 0 ? own : allOf(items, (item) => this.#belowOf(item).get(plain) ?? []);
  }

  /** The same for a field whose values are things: the author rather than the author's name. */
  thingsOf(items: readonly StructuredItem[], field: string): readonly StructuredValue[] {
    const plain = this.plainName(field);
    const own = allOf(items, (item) => this.#ownOf(item).get(plain) ?? []);
    if (own.some(isItem)) return own;
    const found = pathsTo(plain, typesOf(items))
      .map((path) => valuesAt(items, path))
      .find((values) => values.some(isItem));
    return found ?? this.valuesOf(items, field);
  }

  /** Those of the given fields, by plain name, that a thing may have. */
  held<Field>(items: readonly StructuredItem[], fields: ReadonlyMap<string, readonly Field[]>): Field[] {
    const names = new Set(fieldsOf(typesOf(items)));
    for (const item of items) {
      for (const name of this.#ownOf(item).keys()) names.add(name);
      for (const name of this.#belowOf(item).keys()) names.add(name);
    }
    return [...names].flatMap((name) => fields.get(name) ?? []);
  }

  #ownOf(item: StructuredItem): ByName {
    let own = this.#own.get(item);
    if (own === undefined) {
      const found = new Map<string, readonly StructuredValue[]>();
      for (const [name, values] of Object.entries(item.properties)) {
        const plain = this.plainName(name);
        if (!found.has(plain)) found.set(plain, values);
      }
      own = found;
      this.#own.set(item, own);
    }
    return own;
  }

  #belowOf(item: StructuredItem): ByName {
    let below = this.#below.get(item);
    if (below === undefined) {
      const found = new Map<string, StructuredValue[]>();
      const own = Object.entries(item.properties).filter(([name]) => !otherThings.has(name));
      for (const thing of own.flatMap(([, values]) => values.filter(isItem))) {
        for (const [name, values] of this.#ownOf(thing)) {
          const known = found.get(name) ?? [];
          // One by one: as arguments of a single call, a long list would exhaust the stack.
          for (const value of values) known.push(value);
          found.set(name, known);
        }
      }
      below = found;
      this.#below.set(item, below);
    }
    return below;
  }
}

function typesOf(items: readonly StructuredItem[]): string[] {
  return items.flatMap(({ types }) => types);
}
