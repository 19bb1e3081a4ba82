import { badRequest } from "../contract/parse.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { ErrorDetail } from "../errors.ts";
import type { CallParts } from "./call-parts.ts";

/** @throws RequestError `BAD_REQUEST` naming every selector of `includeTags` and `excludeTags` that cannot be used */
export async function checkTags(
  { checkSelectors }: Pick<CallParts, "checkSelectors">,
  options: ParsedScrapeOptions,
  path: readonly string[],
  what: string,
): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const field of ["includeTags", "excludeTags"] as const) {
    for (const detail of await checkSelectors(options[field] ?? [])) {
      details.push({ ...detail, path: [...path, field, ...detail.path] });
    }
  }
  if (details.length > 0) throw badRequest(what, details);
}
