/** Tells whether two objects are about the same thing, by what identifies it: its number, address or name. */

import { comparableText, sameScalar, sameText, signedText, withoutSlashes } from "./comparable-text.ts";
import { type Role, roleOf } from "./entity-keys.ts";
import { canonicalJson, isObject, type JsonObject } from "./json-value.ts";

export interface Identity {
  /** Texts that objects have in common only if they are about the same thing. */
  readonly tokens: Set<string>;
  /** Texts that different things may have in common as well: a company, a switchboard, a website. */
  readonly shared: readonly string[];
  /** By key; two different values of one key mean two different things. */
  readonly numbers: Map<string, string>;
  /** The same, but only among items of a list; elsewhere, one thing may well have two of them. */
  readonly hints: Map<string, string>;
  /** When something is, as days and times in ISO form. */
  readonly times: Map<string, string>;
  /** Where something is, and whose it is: things of one title differ in that. */
  readonly settings: Map<string, string>;
  name: string | undefined;
  /** The name is a title or the like, which different things may have: jobs, reviews. */
  isTitle: boolean;
}

/**
 * Most keys that are examined to tell what an object is about: one with more is a table, whose rows are other things.
 */
const maxTelling = 1000;
/** Most keys whose roles are remembered; the items of a list have the same few keys. */
const maxRemembered = 1000;

/**
 * Creates a function that tells what identifies the objects of one list.
 *
 * @param list the list's name; null for objects that are in no list, whose names and numbers are all their own
 */
export function identifier(list: string | null): (value: JsonObject) => Identity {
  const roles = new Map<string, Role | undefined>();
  return (value) =>
    identityOf(value, (key) => {
      if (roles.has(key)) return roles.get(key);
      const role = roleOf(key, list);
      if (roles.size < maxRemembered) roles.set(key, role);
      return role;
    });
}

function identityOf(value: JsonObject, roleOf: (key: string) => Role | undefined): Identity {
  const numbers = new Map<string, string>();
  const hints = new Map<string, string>();
  const times = new Map<string, string>();
  const settings = new Map<string, string>();
  const tokens = new Set<string>();
  const shared: string[] = [];
  const parts: string[] = [];
  let name: { text: string; rank: number; isTitle: boolean } | undefined;
  for (const key of Object.keys(value).slice(0, maxTelling)) {
    const item = value[key];
    if ((typeof item !== "string" && typeof item !== "number") || item === "") continue;
    const role = roleOf(key);
    if (role === undefined) continue;
    const text = role.kind === "number" ? sameText(String(item)) : signedText(String(item));
    if (text === "") continue;
    if (role.kind === "time") {
      // Other forms of a date are hard to compare.
      const [, date, time] = isoDate.exec(String(item)) ?? [];
      if (date !== undefined) times.set(key, date);
      if (time !== undefined) times.set(`${key} time`, time);
      continue;
    }
    if (role.kind === "setting") {
      settings.set(key, comparableText(String(item)));
      continue;
    }
    const token = role.kind === "address" ? `at=${withoutSlashes(String(item))}` : `${key.toLowerCase()}=${text}`;
    if (role.kind === "name" || role.kind === "title") {
      if (!role.own) shared.push(token);
      else if (name === undefined || role.rank < name.rank) {
        name = { text, rank: role.rank, isTitle: role.kind === "title" };
      }
    } else if (role.kind === "part") parts.push(text);
    else {
      if (role.kind === "number") (role.own ? numbers : hints).set(key.toLowerCase(), text);
      if (role.own) tokens.add(token);
      else shared.push(token);
    }
  }
  // A given name alone does not name a person.
  const person = parts.length > 1 ? { text: parts.join(" "), rank: 1, isTitle: false } : undefined;
  const best = person !== undefined && (name === undefined || person.rank < name.rank) ? person : name;
  if (best !== undefined) tokens.add(`name=${best.text}`);
  return { tokens, shared, numbers, hints, times, settings, name: best?.text, isTitle: best?.isTitle ?? false };
}

const isoDate = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/;

/** Adds what identifies another object about the same thing. `thing` is changed. */
export function unite(thing: Identity, other: Identity): void {
  for (const token of other.tokens) thing.tokens.add(token);
  for (const [key, text] of other.numbers) if (!thing.numbers.has(key)) thing.numbers.set(key, text);
  for (const kind of ["hints", "times", "settings"] as const) {
    for (const [key, text] of other[kind]) if (!thing[kind].has(key)) thing[kind].set(key, text);
  }
  thing.name ??= other.name;
}

/** Whether anything distinguishes two objects that have a token in common. */
export function areApart(one: Identity, other: Identity): boolean {
  if (differ(one.numbers, other.numbers)) return true;
  return one.name !== undefined && other.name !== undefined && one.name !== other.name && !shareNumber(one, other);
}

/** The same for items of lists. */
export function areItemsApart(one: Identity, other: Identity): boolean {
  if (differ(one.hints, other.hints) || areApart(one, other)) return true;
  // Pages say in different ways where and when something is.
  if (shareNumber(one, other) || shareAddress(one, other)) return false;
  if (differ(one.times, other.times)) return true;
  return (one.isTitle || other.isTitle) && differ(one.settings, other.settings, namesOverlap);
}

const shareAddress = (one: Identity, other: Identity): boolean =>
  one.tokens.values().some((token) => token.startsWith("at=") && other.tokens.has(token));

type Texts = ReadonlyMap<string, string>;

/** Whether both have some key with different texts. */
function differ(one: Texts, other: Texts, areAlike = (left: string, right: string) => left === right): boolean {
  const [few, many] = bySize(one, other);
  return few.entries().some(([key, text]) => many.has(key) && !areAlike(many.get(key)!, text));
}

export function shareNumber(one: Identity, other: Identity): boolean {
  const [few, many] = bySize(one.numbers, other.numbers);
  return few.entries().some(([key, text]) => many.get(key) === text);
}

/** The smaller one first: a thing that many objects are about may have far more texts than each of them. */
const bySize = (one: Texts, other: Texts) =>
  one.size < other.size ? ([one, other] as const) : ([other, one] as const);

/** "Acme" and "Acme Inc": the words of one name are among those of the other. */
export function namesOverlap(one: string, other: string): boolean {
  const left = new Set(one.split(" "));
  const right = new Set(other.split(" "));
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  return [...small].every((word) => large.has(word));
}

/** True when the objects have a value in common and none that differs. `known` may be far larger than `more`. */
export function areCompatible(known: JsonObject, more: JsonObject): boolean {
  let equal = false;
  for (const key of Object.keys(more)) {
    const value = more[key];
    const there = Object.hasOwn(known, key) ? known[key] : undefined;
    if (value === null || value === undefined || there === null || there === undefined) continue;
    if (value === there) {
      equal = true;
      continue;
    }
    if (isObject(value) || Array.isArray(value)) {
      if (canonicalJson(value) !== canonicalJson(there)) return false;
    } else if (sameScalar(value) !== sameScalar(there)) return false;
    equal = true;
  }
  return equal;
}

/**
 * True if the objects differ in at least two fields, and in more than they agree in: without a name or number, they are
 * hardly about the same thing. Booleans are ignored, because they say little, and so are long texts, because pages word
 * sentences differently.
 */
export function areContrary(known: JsonObject, more: JsonObject): boolean {
  let different = 0;
  let equal = 0;
  for (const key of Object.keys(more).slice(0, maxTelling)) {
    const value = more[key];
    const there = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!isTelling(value) || !isTelling(there)) continue;
    if (sameScalar(value) === sameScalar(there)) equal++;
    else if (!namesOverlap(comparableText(String(value)), comparableText(String(there)))) different++;
  }
  return different > 1 && different > equal;
}

/** Longer texts are sentences. */
const longestFact = 80;

function isTelling(value: unknown): value is string | number {
  if (typeof value === "number") return true;
  return typeof value === "string" && value.length <= longestFact && comparableText(value) !== "";
}
