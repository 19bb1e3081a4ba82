/** Reads the results from the answer of a search service. */

import type { SearchHit } from "../../ports/search-provider.ts";
import { decodeStrictly } from "../../shared/html-references.ts";

/** The value at a path such as `web.results`; undefined if there is none. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** The paths of a result's parts within it: `link`, `page.title`. */
export interface HitFields {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

/** The results in a list; entries without a URL are left out. */
export function hitsOf(list: unknown, fields: HitFields): SearchHit[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => {
    const url = at(entry, fields.url);
    if (typeof url !== "string" || url === "") return [];
    return [{ url, title: plain(at(entry, fields.title)), description: plain(at(entry, fields.description)) }];
  });
}

/** Services mark the words found with tags, and write other signs as HTML does. */
function plain(value: unknown): string {
  if (typeof value !== "string") return "";
  const text = value.slice(0, 10_000).replace(/<\/?[a-z][^<>]*>/gi, "");
  return decodeStrictly(text).replace(/\s+/g, " ").trim();
}
