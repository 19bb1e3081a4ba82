import { badRequest } from "../contract/parse.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { CallParts } from "./call-parts.ts";

/** @throws RequestError `BAD_REQUEST` naming every selector of `includeTags` and `excludeTags` that cannot be used */
export function checkTags(
  { checkSelectors }: Pick<CallParts, "checkSelectors">,
  options: ParsedScrapeOptions,
  path: readonly string[],
  what: string,
): void {
  const details = (["includeTags", "excludeTags"] as const).flatMap((field) =>
    checkSelectors(options[field] ?? []).map((detail) => ({ ...detail, path: [...path, field, ...detail.path] })),
  );
  if (details.length > 0) throw badRequest(what, details);
}
