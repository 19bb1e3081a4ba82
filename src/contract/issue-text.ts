/** What is wrong with a value, in words that follow its path: "must be at least 1", "is required". */
import type { z } from "zod";
import { quote } from "../shared/quote.ts";

const typeNames: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

/** The validator's hook for messages; a schema's own message takes precedence. */
export function issueText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)}`;
    case "too_small":
      return size(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return size(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return unknownOptions(issue.keys, issue.input);
    case "invalid_key":
      return issue.issues[0]?.message ?? "is not valid";
    default:
      return "is not valid";
  }
}

function size(origin: string, comparison: string, bound: number | bigint): string {
  if (origin === "array") return `must have ${comparison} ${bound} items`;
  if (origin === "string") return `must have ${comparison} ${bound} character${bound === 1 ? "" : "s"}`;
  return `must be ${comparison} ${bound}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (Number.isNaN(value)) return "NaN";
  if (typeof value === "number") return String(value);
  return typeNames[typeof value] ?? `a ${typeof value}`;
}

/**
 * Options that callers may know from the service, or from another place in a request, and why they are refused. Those of
 * an action are named with its type.
 */
const refusedOptions: ReadonlyMap<string, string> = new Map([
  ["agent", "there is no browsing agent; use actions"],
  ["fastMode", "pages are always tried over plain HTTP first"],
  ["parsers", "an option of v2; use parsePDF"],
  ["sitemap", "an option of v2; use ignoreSitemap"],
  ["maxUrls", "use limit"],
  ["urlTrace", "use showSources"],
  ["write.selector", "use click to focus the element first"],
  ["press.selector", "use click to focus the element first"],
  ["scroll.amount", "scroll moves by the visible height"],
  ["scrapeOptions", "crawl, search and extract have it; scrape and batchScrape have its options directly"],
  ...(
    "actions blockAds changeTrackingOptions excludeTags extract formats geolocation headers includeTags jsonOptions " +
    "location maxAge mobile onlyMainContent parsePDF proxy removeBase64Images skipTlsVerification storeInCache timeout " +
    "waitFor"
  )
    .split(" ")
    .map((name): [string, string] => [name, "an option of scrapeOptions, which map does not have"]),
]);
const namedKeys = 20;

function unknownOptions(keys: readonly string[], owner: unknown): string {
  const { type } = owner as { readonly type?: unknown };
  const place = typeof type === "string" ? `${type}.` : "";
  const named = keys.slice(0, namedKeys).map((key) => {
    const reason = refusedOptions.get(key) ?? refusedOptions.get(place + key);
    return quote(key) + (reason === undefined ? "" : ` (${reason})`);
  });
  if (keys.length > namedKeys) named.push(`${keys.length - namedKeys} more`);
  return `has the unknown option${keys.length > 1 ? "s" : ""} ${named.join(", ")}`;
}
