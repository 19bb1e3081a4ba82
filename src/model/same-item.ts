/**
 * Decides which items of lists are the same thing: items from one page only if their values agree, items from different
 * pages also by what identifies them.
 */
import type { Turn } from "../shared/turn.ts";
import { areCompatible, areItemsApart, type Identity, sameScalar } from "./entity.ts";
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
  // Items of a single list are compared by all their values anyway.
  if (lists.length < 2) return ambiguous;
  for (const { value } of lists) {
    const seen = new Map<string, JsonObject>();
    for (const item of value as unknown[]) {
      if (!isObject(item)) continue;
      if (turn.isOver()) await turn.next();
      for (const token of identify(item).tokens) {
        const other = seen.get(token);
        if (other === undefined) seen.set(token, item);
        else if (!ambiguous.has(token) && !areCompatible(other, item)) ambiguous.add(token);
      }
    }
  }
  return ambiguous;
}

/**
 * Items in one page's list that have the same name but different values are variants; an item of that name on another
 * page is the same one again.
 */
export function isSameItem(
  thing: Thing,
  { value, from }: Candidate,
  identity: Identity,
  ambiguous: ReadonlySet<string>,
): boolean {
  const isIdentified = identity.tokens
    .values()
    .some((token) => thing.identity.tokens.has(token) && !ambiguous.has(token));
  if (isIdentified && !thing.froms.has(from)) {
    return !areItemsApart(thing.identity, identity);
  }
  return areCompatible(thing.known, value as JsonObject);
}

/**
 * The tokens by which items that may be the same are found: what identifies the object, else some of its plain values.
 */
export async function tokensOf(value: JsonObject, { tokens, shared }: Identity, turn: Turn): Promise<string[]> {
  const keys = Object.keys(value);
  const exact = `json=${keys.length > fewKeys ? await exactText(value, keys, turn) : canonicalJson(value)}`;
  if (tokens.size + shared.length > 0) return [...tokens, ...shared, exact];
  const scalars: string[] = [];
  for (const key of keys) {
    const item = value[key];
    if (item !== null && typeof item !== "object") scalars.push(`${key}=${sameScalar(item)}`);
    if (scalars.length === 8) break;
  }
  return [...scalars, exact];
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
