/** Merges answers from several pages, or parts of one, into one. The same answers always give the same result. */

import type { JsonSchema } from "../contract/schema-option.ts";
import { pathText } from "../shared/path-text.ts";
import { Turn } from "../shared/turn.ts";
import { sameScalar } from "./comparable-text.ts";
import { areApart, areContrary, type Identity, identifier, namesOverlap, unite } from "./entity.ts";
import { groupItems } from "./item-groups.ts";
import { isObject, type JsonObject, setKey } from "./json-value.ts";
import { type Candidate, fillIn, maxLookalikes, type Path } from "./same-item.ts";
import { itemsOf, propertyNames, propertyOf } from "./schema-parts.ts";
import { createResolver, type Resolve } from "./schema-references.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { holdsAnything, typesNamed } from "./structured-names.ts";

/** The answer from one page, or one part of it. */
export interface Contribution {
  readonly value: unknown;
  /** How well the page matches what is wanted; decides where pages disagree. */
  readonly weight: number;
}

/** Where a value in the result came from: the contribution, and the path in its answer. */
interface Origin {
  readonly from: number;
  readonly path: string;
}

interface Merged {
  readonly value: unknown;
  /** For each field of the result (`products[0].price`), the values it was taken from; empty if not wanted. */
  readonly origins: ReadonlyMap<string, readonly Origin[]>;
}

/**
 * - Objects: the answers are grouped by the thing they are about, which is recognised by number, address or name, and
 *   the thing about which most is known is chosen. Then each field gets the value that most answers agree on, else that
 *   of the better-matching page. Lists of objects are united whatever is chosen, if the object is little more than a
 *   title above a list, or if the answers are from parts of one page.
 * - Lists: items about the same thing become one item, and all others are kept, in the order in which they were first
 *   met; equal plain values of several lists become one.
 *
 * Long lists take several turns of the event loop.
 *
 * @param areParts the answers are from parts of one page
 */
export async function mergeAnswers(
  schema: JsonSchema | undefined,
  contributions: readonly Contribution[],
  { origins = true, areParts = false }: { readonly origins?: boolean; readonly areParts?: boolean } = {},
): Promise<Merged> {
  const merging = new Merging(schema, origins, areParts);
  const candidates = contributions.map(({ value, weight }, from) => ({ value, weight, from, path: [] }));
  return { value: (await merging.merge(schema, candidates, [], true)) ?? null, origins: merging.origins };
}

class Merging {
  readonly origins = new Map<string, Origin[]>();
  readonly #resolve: Resolve;
  readonly #noted: boolean;
  readonly #areParts: boolean;
  readonly #turn = new Turn();
  /** The places of the properties in each part of the schema. */
  readonly #places = new Map<SchemaNode | undefined, ReadonlyMap<string, number>>();

  constructor(schema: JsonSchema | undefined, noted: boolean, areParts: boolean) {
    this.#noted = noted;
    this.#areParts = areParts;
    this.#resolve = createResolver(schema ?? true);
  }

  async merge(
    schema: SchemaNode | undefined,
    all: readonly Candidate[],
    path: Path,
    single: boolean,
  ): Promise<unknown> {
    const given = all.filter(({ value }) => value !== null && value !== undefined);
    if (given.length === 0) return all.length === 0 ? undefined : null;
    const lists = given.filter(({ value }) => Array.isArray(value));
    if (lists.length > 0) return this.#mergeLists(itemsOf(schema, this.#resolve), lists, path);
    const objects = given.filter(({ value }) => isObject(value));
    if (objects.length === 0) return this.#choose(given, path);
    if (!single) return this.#mergeObjects(schema, objects, path);
    const chosen = await this.#aboutOneThing(objects);
    return this.#mergeObjects(schema, chosen, path, this.#besides(chosen, objects));
  }

  #note(path: Path, candidates: readonly Candidate[]): void {
    if (!this.#noted) return;
    this.origins.set(
      pathText(path),
      candidates.map(({ from, path }) => ({ from, path: pathText(path) })),
    );
  }

  /** The value that most answers agree on, else that of the better-matching page, else the first. */
  #choose(candidates: readonly Candidate[], path: Path): unknown {
    // Some models answer with an empty text if a page says nothing.
    const telling = candidates.filter(({ value }) => typeof value !== "string" || value.trim() !== "");
    const groups = Map.groupBy(telling.length > 0 ? telling : candidates, ({ value }) => sameScalar(value));
    const choices = [...groups.values()].map((group) => ({ group, pages: pages(group), heaviest: heaviest(group) }));
    const best = choices.reduce((chosen, choice) => {
      const more = choice.pages - chosen.pages;
      return more > 0 || (more === 0 && choice.heaviest.weight > chosen.heaviest.weight) ? choice : chosen;
    });
    this.#note(path, best.group);
    return best.heaviest.value;
  }

  async #mergeObjects(
    schema: SchemaNode | undefined,
    candidates: readonly Candidate[],
    path: Path,
    lists: readonly Candidate[] = [],
  ): Promise<JsonObject> {
    // Most items of long lists occur only once, so there is nothing to merge.
    if (candidates.length === 1 && !this.#noted && path.length > 0) return candidates[0]!.value as JsonObject;
    const result: JsonObject = {};
    const said = new Map<string, Candidate[]>();
    const all = lists.length === 0 ? candidates : [...candidates, ...lists].sort((one, other) => one.from - other.from);
    for (const candidate of all) {
      const object = candidate.value as JsonObject;
      for (const key of Object.keys(object)) {
        if (this.#turn.isOver()) await this.#turn.next();
        const inner = { ...candidate, value: object[key], path: [...candidate.path, key] };
        const known = said.get(key);
        if (known === undefined) said.set(key, [inner]);
        else known.push(inner);
      }
    }
    for (const key of this.#inOrder(schema, said.keys())) {
      if (this.#turn.isOver()) await this.#turn.next();
      const value = await this.merge(propertyOf(schema, key, this.#resolve), said.get(key)!, [...path, key], true);
      if (value !== undefined) setKey(result, key, value);
    }
    return result;
  }

  /** The keys in the order of the schema, which may name thousands of others; those that it does not name come last. */
  #inOrder(schema: SchemaNode | undefined, keys: Iterable<string>): string[] {
    let places = this.#places.get(schema);
    if (places === undefined) {
      places = new Map(propertyNames(schema, this.#resolve).map((name, place) => [name, place]));
      this.#places.set(schema, places);
    }
    const placeOf = (key: string) => places.get(key) ?? places.size;
    return [...keys].sort((one, other) => placeOf(one) - placeOf(other));
  }

  /** The answers about one thing: of all things that they describe, the one about which most is known. */
  async #aboutOneThing(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    if (candidates.length === 1) return candidates;
    const identify = identifier(null);
    const things: { readonly identity: Identity; readonly members: Candidate[]; score: number }[] = [];
    const nameless: Candidate[] = [];
    for (const candidate of candidates) {
      if (this.#turn.isOver()) await this.#turn.next();
      const identity = identify(candidate.value as JsonObject);
      const score = candidate.weight * filled(candidate.value as JsonObject);
      if (identity.numbers.size === 0 && identity.name === undefined) {
        nameless.push(candidate);
        continue;
      }
      const known = things.slice(0, maxLookalikes).find((thing) => isSameThing(thing.identity, identity));
      if (known === undefined) things.push({ identity, members: [candidate], score });
      else {
        known.members.push(candidate);
        known.score += score;
        unite(known.identity, identity);
      }
    }
    if (things.length === 0) return likeliest(nameless, this.#turn);
    const best = things.reduce((chosen, thing) => (thing.score > chosen.score ? thing : chosen));
    // An answer without a name or number may be about any of several things. If there is only one, it is taken to be
    // about that one unless it contradicts what is known.
    const speaksOfIt = ({ value }: Candidate) =>
      !best.members
        .slice(0, maxLookalikes)
        .every((member) => areContrary(member.value as JsonObject, value as JsonObject));
    const members = things.length === 1 ? [...best.members, ...nameless.filter(speaksOfIt)] : best.members;
    return members.sort((left, right) => left.from - right.from);
  }

  /** The lists of objects in the answers that were not chosen, if they belong to the result nevertheless. */
  #besides(chosen: readonly Candidate[], all: readonly Candidate[]): Candidate[] {
    if (chosen.length === all.length) return [];
    const belongs = (value: JsonObject) => this.#areParts || isTitledList(value);
    if (!chosen.every(({ value }) => belongs(value as JsonObject))) return [];
    const known = new Set(chosen);
    return all
      .filter((candidate) => !known.has(candidate) && belongs(candidate.value as JsonObject))
      .map((candidate) => ({ ...candidate, value: listsOf(candidate.value as JsonObject) }));
  }

  async #mergeLists(itemSchema: SchemaNode | undefined, lists: readonly Candidate[], path: Path): Promise<unknown[]> {
    const items: unknown[] = [];
    for (const members of await groupItems(lists, path, this.#areParts, this.#turn)) {
      if (this.#turn.isOver()) await this.#turn.next();
      const at = [...path, items.length];
      this.#note(at, members);
      const { value } = members[0]!;
      items.push(isObject(value) ? await this.#mergeObjects(itemSchema, members, at) : value);
    }
    return items;
  }
}

/** What may stand beside the title of a list without being about a thing of its own. */
const ofLists =
  /(?:^|_)(?:title|headline|heading|label|url|link|href|description|summary|count|total|page|category|section)$/i;

/**
 * Categories with their products, chapters with their items; not recipes with their ingredients, or films with their
 * cast.
 */
function isTitledList(value: JsonObject): boolean {
  const { isTitle, numbers } = identifier(null)(value);
  if (!isTitle || numbers.size > 0) return false;
  return Object.entries(value).every(([name, item]) => (Array.isArray(item) ? listsThings(name) : ofLists.test(name)));
}

/** Whether a list of this name has things of their own; reviews and people mostly are those of a thing. */
function listsThings(name: string): boolean {
  const types = typesNamed(name);
  return holdsAnything(name) || (types !== undefined && !types.includes("Review") && !types.includes("Person"));
}

const isListOfObjects = (value: unknown) => Array.isArray(value) && value.some(isObject);

function listsOf(value: JsonObject): JsonObject {
  const lists: JsonObject = {};
  for (const key of Object.keys(value)) if (isListOfObjects(value[key])) setKey(lists, key, value[key]);
  return lists;
}

/** How many different contributions the candidates are from. */
function pages(group: readonly Candidate[]): number {
  return new Set(group.map(({ from }) => from)).size;
}

function heaviest(group: readonly Candidate[]): Candidate {
  return group.reduce((best, candidate) => (candidate.weight > best.weight ? candidate : best));
}

/**
 * Of answers without a name or number, the group that says most; the answers in a group do not contradict each other.
 */
async function likeliest(nameless: readonly Candidate[], turn: Turn): Promise<readonly Candidate[]> {
  const groups: { readonly members: Candidate[]; readonly known: JsonObject; score: number }[] = [];
  for (const candidate of nameless) {
    if (turn.isOver()) await turn.next();
    const value = candidate.value as JsonObject;
    const score = candidate.weight * filled(value);
    const group = groups.slice(0, maxLookalikes).find(({ known }) => !areContrary(known, value));
    if (group === undefined) groups.push({ members: [candidate], known: { ...value }, score });
    else {
      group.members.push(candidate);
      await fillIn(group.known, value, turn);
      group.score += score;
    }
  }
  return groups.reduce((chosen, group) => (group.score > chosen.score ? group : chosen)).members;
}

function filled(value: JsonObject): number {
  let count = 0;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== null && item !== "" && !(Array.isArray(item) && item.length === 0)) count++;
  }
  return count;
}

/** An object schema is about a single thing, whose name may be longer on one page than on another. */
function isSameThing(one: Identity, other: Identity): boolean {
  if (one.name !== undefined && other.name !== undefined && namesOverlap(one.name, other.name)) {
    return !areApart({ ...one, name: undefined }, { ...other, name: undefined });
  }
  return !areApart(one, other) && one.tokens.values().some((token) => other.tokens.has(token));
}
