/** The door: turns what a caller wrote into a trusted value, or throws one error that names everything wrong with it. */
import type { z } from "zod";
import { type ErrorDetail, RequestError } from "../errors.ts";
import { pathText } from "../shared/path-text.ts";
import { issueText } from "./issue-text.ts";

/** The message names this many issues and counts the rest; `details` holds them all. */
const issuesInMessage = 20;

/**
 * Checks `input` against `schema` and returns the typed value, with the defaults filled in.
 *
 * The input is never changed, and nothing it does (throwing getters, proxies, cycles) gets past this function.
 *
 * @param what names the value in the message: "crawl request"
 * @throws RequestError `BAD_REQUEST` with all issues at once in `details`
 * @example
 * parse(scrapeRequest, { url: "example.com" }, "scrape request").url; // "http://example.com"
 */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown, what: string): z.output<Schema> {
  let result: z.ZodSafeParseResult<z.output<Schema>>;
  try {
    result = schema.safeParse(input, { error: issueText });
  } catch (cause) {
    throw badRequest(what, [{ code: "unreadable", path: [], message: "cannot be read" }], cause);
  }
  if (result.success) return result.data;
  throw badRequest(what, result.error.issues.flatMap(meantIssues).map(toDetail));
}

/**
 * The error for input that a later check found wrong, in the same form as {@link parse} gives it.
 * Messages are predicates ("is required", "must be …"), so that they read well behind a path.
 */
export function badRequest(what: string, details: readonly ErrorDetail[], cause?: unknown): RequestError {
  const named = details.slice(0, issuesInMessage).map((detail) => `${pathText(detail.path) || "it"} ${detail.message}`);
  const rest = details.length - named.length;
  if (rest > 0) named.push(`and ${rest} more`);
  return new RequestError("BAD_REQUEST", `Invalid ${what}: ${named.join("; ")}.`, {
    details,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Of a value that may have several forms, the issues of the form that was meant: the one that fits but for its parts. */
function meantIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
  if (meant === undefined || meant.length === 0) return [issue];
  return meant.flatMap((part) => meantIssues({ ...part, path: [...issue.path, ...part.path] }));
}

function toDetail(issue: z.core.$ZodIssue): ErrorDetail {
  return {
    code: issue.code,
    path: issue.path.map((part) => (typeof part === "number" ? part : String(part))),
    message: issue.message,
    ...(issue.code === "unrecognized_keys" ? { keys: issue.keys } : {}),
  };
}
