/**
 * Decides which items of lists are the same thing: items of one list only if they are equal, items of lists from
 * different pages if what identifies them or else their values agree.
 */
import type { Turn } from "../shared/turn.ts";
import { sameScalar } from "./comparable-text.ts";
import { areCompatible, areContrary, areItemsApart, type Identity, shareNumber } from "./entity.ts";
import { canonicalJson, isObject, type JsonObject, setKey } from "./json-value.ts";

export type Path = readonly (string | number)[];

/** A value that may become part of the result. */
export interface Candidate {
  readonly value: unknown;
  readonly weight: number;
  readonly from: number;
  readonly path: Path;
}

/** Most things that a new object is compared with. */
export const maxLookalikes = 10;

/** An item of the merged list. */
export interface Thing {
  readonly members: Candidate[];
  /** The contributions that its members are from. */
  readonly froms: Set<number>;
  /** The exact tokens of its members. */
  readonly texts: Set<string>;
  readonly identity: Identity;
  /** The first value of each field. */
  readonly known: JsonObject;
}

/** Adds values for the keys that are missing or null in `known`, which is changed. */
export async function fillIn(known: JsonObject, more: JsonObject, turn: Turn): Promise<void> {
  for (const key of Object.keys(more)) {
    if (turn.isOver()) await turn.next();
    if (!Object.hasOwn(known, key) || known[key] === null) setKey(known, key, more[key]);
  }
}

/** Tokens that different items of one list share, so that they identify none: the name of an event held each week. */
export async function ambiguousTokens(
  lists: readonly Candidate[],
  identify: (value: JsonObject) => Identity,
  turn: Turn,
): Promise<ReadonlySet<string>> {
  const ambiguous = new Set<string>();
  // Items of a single list are compared by all their values.
  if (lists.length < 2) return ambiguous;
  for (const { value } of lists) {
    const seen = new Map<string, JsonObject>();
    for (const item of value as unknown[]) {
      if (!isObject(item)) continue;
      if (turn.isOver()) await turn.next();
      for (const token of identify(item).tokens) {
        const other = seen.get(token);
        if (other === undefined) seen.set(token, item);
        else if (!ambiguous.has(token) && !areEqual(other, item)) ambiguous.add(token);
      }
    }
  }
  return ambiguous;
}

const areEqual = (one: JsonObject, other: JsonObject) => canonicalJson(one) === canonicalJson(other);

/** An item that may be the same as one met before. */
interface Newcomer {
  readonly item: Candidate;
  readonly identity: Identity;
  /** Equal for equal objects. */
  readonly exact: string;
}

/**
 * Different items of one list are different things, even if what is told of them could be told of one: two flights of
 * one airline. An item of the same name on another page is the same one again, unless that name is ambiguous, or much
 * else differs.
 *
 * @param ambiguous tokens that identify nothing; null if none does, because the lists are parts of one
 */
export function isSameItem(
  thing: Thing,
  { item: { value, from }, identity, exact }: Newcomer,
  ambiguous: ReadonlySet<string> | null,
): boolean {
  if (thing.froms.has(from)) return thing.texts.has(exact);
  const isIdentified =
    ambiguous !== null &&
    identity.tokens.values().some((token) => thing.identity.tokens.has(token) && !ambiguous.has(token));
  if (!isIdentified) return areCompatible(thing.known, value as JsonObject);
  if (areItemsApart(thing.identity, identity)) return false;
  return shareNumber(thing.identity, identity) || !areContrary(thing.known, value as JsonObject);
}

/** The tokens by which items that may be the same are found: what identifies the object, else some plain values. */
export function tokensOf(value: JsonObject, { tokens, shared }: Identity): string[] {
  if (tokens.size + shared.length > 0) return [...tokens, ...shared];
  const scalars: string[] = [];
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== null && typeof item !== "object") scalars.push(`${key}=${sameScalar(item)}`);
    if (scalars.length === 8) break;
  }
  return scalars;
}

/** A token that only equal objects have in common. */
export async function exactToken(value: JsonObject, turn: Turn): Promise<string> {
  const keys = Object.keys(value);
  return `json=${keys.length > fewKeys ? await exactText(value, keys, turn) : canonicalJson(value)}`;
}

/** Larger objects are serialised in several turns of the event loop. */
const fewKeys = 1000;

/** The same text for equal objects. */
async function exactText(value: JsonObject, keys: readonly string[], turn: Turn): Promise<string> {
  const parts: string[] = [];
  for (const key of keys.toSorted()) {
    if (turn.isOver()) await turn.next();
    parts.push(`${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  }
  return parts.join();
}
