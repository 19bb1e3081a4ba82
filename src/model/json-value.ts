/** Helpers for plain JSON values: distinguishing and comparing them, and setting keys that come from outside. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a key whatever it is called: `__proto__` is a key like any other. */
export function setKey(target: object, key: string, value: unknown): void {
  // An assignment takes a fraction of the time of a definition, but may reach what is inherited.
  if (!(key in target)) (target as JsonObject)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The same text for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}

/** A value of any library as JSON has it: dates and large integers are texts, sets and maps are lists. */
export function plainJson(value: unknown): unknown {
  const plain = (_: string, inner: unknown): unknown => {
    if (typeof inner === "bigint") return String(inner);
    return inner instanceof Set || inner instanceof Map ? [...inner] : inner;
  };
  return JSON.parse(JSON.stringify(value, plain) ?? "null");
}

/**
 * Levels of schemas and answers: a schema has at least as many levels as the answers it describes. More would exhaust
 * the stack of recursive readers.
 */
export const maxLevels = 240;

/** True for values that nest deeper than `max`, which would exhaust the stack of a recursive reader. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: object[] = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    const next: object[] = [];
    for (const item of level) {
      const values: unknown[] = Object.values(item);
      if (depth === max && values.length > 0) return true;
      // Plain values, of which there may be a million, have no further level.
      for (const inner of values) if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}
