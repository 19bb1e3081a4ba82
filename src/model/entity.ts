/** Whether two objects speak of the same thing: told by what identifies it, its number, address or name. */

import { type Role, roleOf } from "./entity-keys.ts";
import { canonicalJson, isObject, type JsonObject } from "./json-value.ts";

export interface Identity {
  /** Texts that are equal for equal things only. */
  readonly tokens: Set<string>;
  /** Texts that are equal for equal things, and that different ones may share: a company, a switchboard, a picture. */
  readonly shared: readonly string[];
  /** Two different values of one of these mean two different things. */
  readonly numbers: Map<string, string>;
  /** The same in lists; one thing may well have two of them. */
  readonly hints: Map<string, string>;
  name: string | undefined;
}

/** Keys of an object that are looked at to tell what it is about: one of more is a table, and its rows name others. */
const maxTelling = 1000;
/** Keys whose roles are remembered: items of a list have the same few. */
const maxRemembered = 1000;

/**
 * Tells what identifies the objects of one list.
 *
 * @param list what it is called; null for objects that stand in none: all their names and numbers are their own
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
  const tokens = new Set<string>();
  const shared: string[] = [];
  const parts: string[] = [];
  let name: { text: string; rank: number } | undefined;
  for (const key of Object.keys(value).slice(0, maxTelling)) {
    const item = value[key];
    if ((typeof item !== "string" && typeof item !== "number") || item === "") continue;
    const role = roleOf(key);
    if (role === undefined) continue;
    const text = signedText(String(item));
    if (text === "") continue;
    const token = role.kind === "address" ? `at=${withoutSlashes(String(item))}` : `${key.toLowerCase()}=${text}`;
    if (role.kind === "name") {
      if (!role.own) shared.push(token);
      else if (name === undefined || role.rank < name.rank) name = { text, rank: role.rank };
    } else if (role.kind === "part") parts.push(text);
    else {
      if (role.kind === "number") (role.own ? numbers : hints).set(key.toLowerCase(), text);
      if (role.own) tokens.add(token);
      else shared.push(token);
    }
  }
  // A given name alone is no name of a person.
  const person = parts.length > 1 ? { text: parts.join(" "), rank: 1 } : undefined;
  const best = person !== undefined && (name === undefined || person.rank < name.rank) ? person : name;
  if (best !== undefined) tokens.add(`name=${best.text}`);
  return { tokens, shared, numbers, hints, name: best?.text };
}

/** Without those at its end. */
function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

/** Adds to what identifies a thing what another object says of it. */
export function unite(thing: Identity, other: Identity): void {
  for (const token of other.tokens) thing.tokens.add(token);
  for (const [key, text] of other.numbers) if (!thing.numbers.has(key)) thing.numbers.set(key, text);
  for (const [key, text] of other.hints) if (!thing.hints.has(key)) thing.hints.set(key, text);
  thing.name ??= other.name;
}

/** Letters and digits in small letters, words apart by one space. */
export function comparableText(text: string): string {
  const start = text.slice(0, 2000).toLowerCase();
  if (!beyondAscii.test(start)) return start.replace(/[^a-z0-9]+/g, " ").trim();
  return start
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const beyondAscii = /[^\0-\x7f]/;

/** Signs that make another thing of a text: C++ and C#, -3 and 3, A+ and A-, € and $, < and >, a share and a number. */
const signs = /(?<=[\p{L}\p{N}])[+#]+|(?<![\p{L}\p{N})\]])[-−](?=[.,]?\p{N})|(?<=^\p{L})[-−]$|[%‰<>≤≥±]|\p{Sc}/gu;
const anySign = /[+#%‰<>≤≥±−-]|\p{Sc}/u;

/** The plain text, and the signs in it. */
function signedText(text: string): string {
  const plain = comparableText(text);
  if (!anySign.test(text)) return plain;
  const found = text.slice(0, 2000).trim().match(signs) ?? [];
  return [plain, ...found.map((sign) => sign.replace("−", "-")).sort()].join(" ").trim();
}

/** Two objects that were found to have a token in common: is there anything that tells them apart? */
export function areApart(one: Identity, other: Identity): boolean {
  if (differ(one.numbers, other.numbers)) return true;
  return one.name !== undefined && other.name !== undefined && one.name !== other.name && !shareNumber(one, other);
}

/** The same for items of lists. */
export function areItemsApart(one: Identity, other: Identity): boolean {
  return differ(one.hints, other.hints) || areApart(one, other);
}

type Texts = ReadonlyMap<string, string>;

/** Whether they have a key in common, with different texts. */
function differ(one: Texts, other: Texts): boolean {
  const [few, many] = bySize(one, other);
  return few.entries().some(([key, text]) => many.has(key) && many.get(key) !== text);
}

function shareNumber(one: Identity, other: Identity): boolean {
  const [few, many] = bySize(one.numbers, other.numbers);
  return few.entries().some(([key, text]) => many.get(key) === text);
}

/** A thing of which many objects speak may have far more than each of them. */
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
 * True when the objects say different things in two fields or more, and seldom the same: without a name or a number that
 * tells, they are hardly about one thing. What is on or off says little, and sentences are put differently on each page.
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

/** Equal for values that a reader would call the same. */
export function sameScalar(value: unknown): string {
  if (typeof value !== "string") return canonicalJson(value);
  return `"${signedText(value) || value}`;
}
