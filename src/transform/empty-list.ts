const empty: unknown[] = [{}];
empty.pop();

/**
 * An empty list of objects or texts, where each page needs some. Instead of a literal, for two reasons:
 * - V8 takes `[]` for a list of small numbers, which becomes another kind of list with its first object. Optimised code
 *   that has only seen the other kind is thrown away.
 * - V8 observes the arrays of a literal. If it does so while a page is being parsed, all of them are alive, and from then
 *   on it allocates them among the old objects, where they keep each page's whole tree alive until the next full
 *   collection.
 */
export function emptyList<Item extends object | string>(): Item[] {
  return empty.slice() as Item[];
}
