/** Whether two objects speak of the same thing: told by what identifies it, its number, address or name. */
import { canonicalJson, isObject, type JsonObject } from "./json-value.ts";

/** Two different values of one of these mean two different things. */
const numbers =
  /^(?:id|uuid|guid|sku|mpn|isbn|issn|doi|asin|ean|gtin\d*|email|phone|slug|orcid|[a-z]+_?id|identifier)$/i;
/** The same address means the same thing; a thing may have several. */
const addresses = /^(?:url|link|href|permalink|website|[a-z]+_?url)$/i;
const names = /(?:^|_|[a-z](?=N))(?:name|title|headline|label|question|term)$/i;

export interface Identity {
  /** Texts that are equal for equal things; empty when nothing identifies the object. */
  readonly tokens: readonly string[];
  readonly numbers: ReadonlyMap<string, string>;
  readonly name: string | undefined;
}

export function identityOf(value: JsonObject): Identity {
  const found = new Map<string, string>();
  const tokens: string[] = [];
  let name: string | undefined;
  for (const [key, item] of Object.entries(value)) {
    if ((typeof item !== "string" && typeof item !== "number") || item === "") continue;
    const text = plainText(String(item));
    if (text === "") continue;
    if (numbers.test(key)) {
      found.set(key.toLowerCase(), text);
      tokens.push(`${key.toLowerCase()}=${text}`);
    } else if (addresses.test(key)) tokens.push(`at=${String(item).replace(/\/+$/, "")}`);
    else if (names.test(key) && name === undefined) {
      name = text;
      tokens.push(`name=${text}`);
    }
  }
  return { tokens, numbers: found, name };
}

/** Letters and digits in small letters, words apart by one space. */
export function plainText(text: string): string {
  const start = text.slice(0, 2000).toLowerCase();
  if (!beyondAscii.test(start)) return start.replace(/[^a-z0-9]+/g, " ").trim();
  return start
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const beyondAscii = /[^\0-\x7f]/;

/** Two objects that were found to have a token in common: is there anything that tells them apart? */
export function areApart(one: Identity, other: Identity): boolean {
  for (const [key, text] of one.numbers) {
    const there = other.numbers.get(key);
    if (there !== undefined && there !== text) return true;
  }
  return one.name !== undefined && other.name !== undefined && one.name !== other.name && !shareNumber(one, other);
}

function shareNumber(one: Identity, other: Identity): boolean {
  for (const [key, text] of one.numbers) if (other.numbers.get(key) === text) return true;
  return false;
}

/** "Acme" and "Acme Inc": the words of one name are among those of the other. */
export function namesOverlap(one: string, other: string): boolean {
  const left = new Set(one.split(" "));
  const right = new Set(other.split(" "));
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  return [...small].every((word) => large.has(word));
}

/** True when the objects have a plain value in common and none that differs. */
export function areCompatible(one: JsonObject, other: JsonObject): boolean {
  let equal = false;
  for (const [key, value] of Object.entries(one)) {
    const there = other[key];
    if (value === null || value === undefined || there === null || there === undefined) continue;
    if (isObject(value) || Array.isArray(value)) {
      if (canonicalJson(value) !== canonicalJson(there)) return false;
    } else if (sameScalar(value) !== sameScalar(there)) return false;
    else equal = true;
  }
  return equal;
}

/** Equal for values that a reader would call the same. */
export function sameScalar(value: unknown): string {
  if (typeof value !== "string") return canonicalJson(value);
  return `"${plainText(value) || value}`;
}
