/** The bounds that a storage or a queue is made with: a bound that is no number, or whose name is misspelt, would be none. */
import { badRequest } from "../contract/parse.ts";
import { quote } from "../contract/quote.ts";

/**
 * The given bounds, and the defaults where there are none.
 *
 * @param given what a factory got, without the options that are no bounds
 * @throws RequestError `BAD_REQUEST` that names all that is wrong
 * @example
 * readBounds("memoryStorage", { maxCacheBytes: 1024 }, { maxCacheBytes: 64, maxIndexBytes: 64 });
 * // { maxCacheBytes: 1024, maxIndexBytes: 64 }
 */
export function readBounds<Name extends string>(
  factory: string,
  given: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const bounds: Record<string, number> = { ...defaults };
  const details: { path: string[]; message: string }[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) details.push({ path: [], message: `has the unknown option ${quote(name)}` });
    else if (typeof value === "number" && value >= 0) bounds[name] = value;
    else if (value !== undefined) details.push({ path: [name], message: "must be a number, at least 0" });
  }
  if (details.length > 0) throw badRequest(`options of ${factory}`, details);
  return bounds;
}
