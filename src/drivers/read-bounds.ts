/**
 * Checks the limits that a storage or queue is created with: a limit that is no number, or whose name is misspelt,
 * would have no effect.
 */
import { badRequest } from "../contract/parse.ts";
import { quote } from "../shared/quote.ts";

/** What is wrong with an option, as a predicate: "must be …". */
export interface OptionFault {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * The given limits, and defaults for the others.
 *
 * @param given the host's own object: what a class computes, or inherits, would be missing in a copy
 * @param others the names of the options that are no limits
 * @param faults what is wrong with those
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong
 * @example
 * const defaults = { maxCacheBytes: 64, maxIndexBytes: 64 };
 * readBounds("memoryStorage", { maxCacheBytes: 1024 }, defaults); // { maxCacheBytes: 1024, maxIndexBytes: 64 }
 */
export function readBounds<Name extends string>(
  factory: string,
  given: object,
  defaults: Readonly<Record<Name, number>>,
  others: readonly string[] = [],
  faults: readonly OptionFault[] = [],
): Record<Name, number> {
  const bounds: Record<string, number> = { ...defaults };
  const details = [...faults];
  for (const name of Object.keys(defaults)) {
    const value: unknown = Reflect.get(given, name);
    if (typeof value === "number" && value >= 0) bounds[name] = value;
    else if (value !== undefined) details.push({ path: [name], message: "must be a number, at least 0" });
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(defaults, name) || others.includes(name)) continue;
    details.push({ path: [], message: `has the unknown option ${quote(name)}` });
  }
  if (details.length > 0) throw badRequest(`options of ${factory}`, details);
  return bounds;
}

/**
 * What a factory was given, or no options at all.
 *
 * @throws RequestError `BAD_REQUEST` for what is no object, such as a lone path
 */
export function givenOptions<Options extends object>(factory: string, options: Options | undefined): Partial<Options> {
  if (options === undefined || options === null) return {};
  if (typeof options === "object" && !Array.isArray(options)) return options;
  throw badRequest(`options of ${factory}`, [{ path: [], message: "must be an object" }]);
}

/** The fault of a wait, in milliseconds, that no timer can take: it would go off at once, again and again. */
export function endlessWait(name: string, value: unknown): OptionFault[] {
  const longest = 2 ** 31 - 1;
  return typeof value === "number" && value > longest ? [{ path: [name], message: `must be at most ${longest}` }] : [];
}

/** The fault of a text that may not be missing, or none. */
export function missingText(name: string, value: unknown, meaning: string): OptionFault[] {
  return typeof value === "string" && value !== "" ? [] : [{ path: [name], message: `must be ${meaning}` }];
}
