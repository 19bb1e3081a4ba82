/**
 * Tells plain wishes from conditions. "The price of the product" says what the field's name says, so that a declared
 * price answers it; "the price in cents" says more, and only a model can tell whether the declared price is meant.
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import { withoutEnding } from "../shared/word-endings.ts";
import { allSchemas } from "./schema-check.ts";
import { applied, itemsOf, propertyNames, propertyOf, typesOf } from "./schema-parts.ts";
import { createResolver, type Resolve, type SchemaNode } from "./schema-references.ts";
import { fieldPaths, plainName, typeNames } from "./structured-names.ts";

/** Words that set no condition: whatever sets one needs another word, as "in" needs "cents". */
const plainWords: ReadonlySet<string> = stems(
  // Words that hold a sentence together; `s` is that of a genitive
  "a an the of for to on in at from by with and or is are was be been has have as its it this that these which who whose " +
    "s their his her our your they he she you we can also e g i ie eg example such " +
    "publication published posted code iso address status located online shop store catalog catalogue " +
    "where when whether each every all any if one " +
    // Kinds of values
    "name title value text string number numeric amount date url uri link true false " +
    // What is described
    "product item thing entity page website site web " +
    // That it is there
    "current main primary full whole complete exact actual official own displayed shown given stated mentioned " +
    "visible available present known respective corresponding associated",
);

/** The same in what is said of lists; of a single value, a list price is a condition. */
const listWords: ReadonlySet<string> = stems("list array collection multiple");

const typeWords: ReadonlySet<string> = stems(Object.keys(typeNames).join(" "));

/** Fields whose values are at the same first path: `employer` and `company`. */
const sameFields: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  Object.keys(fieldPaths),
  (field) => fieldPaths[field]![0]!,
);

function stems(text: string): Set<string> {
  return new Set(wordsOf(text).map(withoutEnding));
}

/** The words of a text, or of a name: `pricePerUnit` has three. */
function wordsOf(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** What a field is called, by itself and in schema.org. */
class Names {
  readonly #stems = new Set<string>();
  /** Names whose words are not separated: `jobtitle`. */
  readonly #joined = new Set<string>();

  constructor(names: readonly string[]) {
    for (const name of names) this.#add(name);
  }

  #add(name: string): void {
    this.#addWords(name);
    const plain = plainName(name);
    const paths = Object.hasOwn(fieldPaths, plain) ? fieldPaths[plain]! : [];
    for (const path of paths) this.#addWords(path);
    for (const same of sameFields.get(paths[0] ?? "") ?? []) this.#joined.add(same);
  }

  #addWords(name: string): void {
    for (const word of wordsOf(name)) this.#stems.add(withoutEnding(word));
  }

  has(word: string): boolean {
    const stem = withoutEnding(word);
    if (plainWords.has(stem) || typeWords.has(stem) || this.#stems.has(stem)) return true;
    if (/^\d+$/.test(word)) return true;
    return word.length > 2 && this.#joined.values().some((name) => name.includes(word));
  }
}

/** The same in requests about the whole page. */
const requestWords: ReadonlySet<string> = stems(
  "please extract get give take find return read show tell fetch scrape collect i me need want what how much many there " +
    "data detail information info field schema json structured following object array below above include including " +
    // Rules for the answer, as they are added to requests
    "if missing unknown available null empty leave do don t not never invent guess make up hallucinate only use using " +
    "output respond answer format accurate accurately precise precisely exactly carefully unavailable found",
);

/** Words with which a request changes what the page declares, or orders it. */
const changing = new RegExp(
  String.raw`\b(?:without|excluding|excl|before|after|per|except|convert\w*|translat\w*|discount\w*|original|instead|` +
    String.raw`monthly|yearly|total|average|short|brief|words|sentences?|uppercase|lowercase|unless|round\w*|` +
    "under|over|between|than|at (?:most|least)|latest|newest|oldest|cheapest|lowest|highest|" +
    String.raw`old|previous|former|exclud\w*|ignor\w*|skip|sort\w*|rank\w*|limit\w*|incl\w*\.? (?:of |the )?(?:tax\w*|vat|shipping)|` +
    "only (?:those|the|products?|items?|jobs?|in|with|for|from)|not (?:in|those|the)|" +
    String.raw`(?:in|into|as|to) (?:english|german|french|spanish|italian|usd|eur|gbp|us dollars?|dollars?|euros?|pounds?|cents?|pence|yen))\b`,
  "gi",
);

/** Whether the prompts, or what the schema says of itself, change what the page declares. */
export function wantsReader(schema: JsonSchema, prompts: readonly (string | undefined)[]): boolean {
  const names = new Names(namesWithin(schema));
  const changes = requestsOf(schema, prompts).flatMap((text) => text.match(changing) ?? []);
  // A field may be called `average_rating`.
  return changes.some((words) => !wordsOf(words).every((word) => names.has(word)));
}

/** Whether the prompts may want only some of the things that the page declares: "jobs in Berlin", "the first job". */
export function maySelect(schema: JsonSchema, prompts: readonly (string | undefined)[]): boolean {
  const words = requestsOf({}, prompts).flatMap(wordsOf);
  const names = new Names(namesWithin(schema));
  return words.some((word) => !names.has(word) && !requestWords.has(withoutEnding(word)));
}

function requestsOf({ title, description }: JsonSchema, prompts: readonly (string | undefined)[]): string[] {
  return [...prompts, title, description].filter((text) => typeof text === "string");
}

/** The names of all properties in a schema. */
function namesWithin(schema: JsonSchema): string[] {
  const resolve = createResolver(schema, allSchemas(schema));
  const names: string[] = [];
  const open: (SchemaNode | undefined)[] = [schema];
  const seen = new Set<SchemaNode | undefined>([undefined]);
  for (let part = open.pop(); part !== undefined || open.length > 0; part = open.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    for (const name of propertyNames(part, resolve)) {
      names.push(name);
      open.push(propertyOf(part, name, resolve));
    }
    open.push(itemsOf(part, resolve));
  }
  return names;
}

/** Finds fields whose descriptions say more than their names. */
export class Descriptions {
  readonly #resolve: Resolve;
  readonly #known = new Map<SchemaNode, boolean>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /**
   * Whether anything in a part of the schema says more.
   *
   * @param names of the part, and of all around it
   */
  sayMore(part: SchemaNode | undefined, names: readonly string[]): boolean {
    if (part === undefined) return false;
    let known = this.#known.get(part);
    if (known === undefined) {
      // A part within itself says no more than it does.
      this.#known.set(part, false);
      known = this.#ownSayMore(part, names) || this.#innerSayMore(part, names);
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
    const known = new Names([...names, ...choices]);
    const isPlain = (word: string) => known.has(word) || (types.has("array") && listWords.has(withoutEnding(word)));
    return texts.some((text) => !wordsOf(text).every(isPlain));
  }

  #innerSayMore(part: SchemaNode, names: readonly string[]): boolean {
    const isInner = (name: string) => this.sayMore(propertyOf(part, name, this.#resolve), [...names, name]);
    return this.sayMore(itemsOf(part, this.#resolve), names) || propertyNames(part, this.#resolve).some(isInner);
  }
}
