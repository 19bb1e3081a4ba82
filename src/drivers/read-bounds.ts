/**
 * Checks the limits that a storage or queue is created with: a limit that is no number, or whose name is misspelt,
 * would have no effect.
 */
import { badRequest } from "../contract/parse.ts";
import { quote } from "../shared/quote.ts";

/** What is wrong with an option, as a predicate: "must be …". */
interface OptionFault {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * The given limits, and defaults for the others.
 *
 * @param given what a factory was given, without the options that are no limits
 * @param faults what is wrong with those other options
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong
 * @example
 * readBounds("memoryStorage", { maxCacheBytes: 1024 }, { maxCacheBytes: 64, maxIndexBytes: 64 });
 * // { maxCacheBytes: 1024, maxIndexBytes: 64 }
 */
export function readBounds<Name extends string>(
  factory: string,
  given: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<Name, number>>,
  faults: readonly OptionFault[] = [],
): Record<Name, number> {
  const bounds: Record<string, number> = { ...defaults };
  const details = [...faults];
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) details.push({ path: [], message: `has the unknown option ${quote(name)}` });
    else if (typeof value === "number" && value >= 0) bounds[name] = value;
    else if (value !== undefined) details.push({ path: [name], message: "must be a number, at least 0" });
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

/** The fault of a text that may not be missing, or none. */
export function missingText(name: string, value: unknown, meaning: string): OptionFault[] {
  return typeof value === "string" && value !== "" ? [] : [{ path: [name], message: `must be ${meaning}` }];
}
