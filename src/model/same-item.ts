/** Which items of lists are one: items of one page are kept apart unless they agree, those of two meet by what identifies them. */
import type { Turn } from "../contract/turn.ts";
import { areCompatible, areItemsApart, type Identity, sameScalar } from "./entity.ts";
import { canonicalJson, isObject, type JsonObject, setKey } from "./json-value.ts";

export type Path = readonly (string | number)[];

/** A value that may go into the result. */
export interface Candidate {
  readonly value: unknown;
  readonly weight: number;
  readonly from: number;
  readonly path: Path;
}

/** An item of a list that is being put together. */
export interface Thing {
  readonly members: Candidate[];
  /** The contributions that speak of it. */
  readonly froms: Set<number>;
  readonly identity: Identity;
  /** The first value of each field. */
  readonly known: JsonObject;
}

/** Adds to what is known of a thing, which belongs to the caller. */
export async function fillIn(known: JsonObject, more: JsonObject, turn: Turn): Promise<void> {
  for (const key of Object.keys(more)) {
    if (turn.isOver()) await turn.next();
    if (!Object.hasOwn(known, key) || known[key] === null) setKey(known, key, more[key]);
  }
}

/** What one list gives to several things identifies none of them: the name of an event that is held each week. */
export async function ambiguousTokens(
  lists: readonly Candidate[],
  identify: (value: JsonObject) => Identity,
  turn: Turn,
): Promise<ReadonlySet<string>> {
  const ambiguous = new Set<string>();
  // Items of one list are held to all that they say in any case.
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

/** Variants stand in one list under one name, with different values; a second page speaks of the same item again. */
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

/** By what an object meets those that may be the same: what identifies it; without that, each of its plain values. */
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

/** Objects of more are written in several turns of the event loop. */
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

export function lookalikes(byToken: ReadonlyMap<string, readonly number[]>, tokens: readonly string[]): number[] {
  return [...new Set(tokens.flatMap((token) => byToken.get(token) ?? []))].sort((left, right) => left - right);
}
