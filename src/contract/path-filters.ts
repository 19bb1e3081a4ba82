/** Patterns and depth by which a request chooses among the URLs of a site. */
import { z } from "zod";
import type { ErrorDetail } from "../errors.ts";
import { list } from "./list.ts";
import { rule, whenListsSound } from "./rule.ts";
import { wholeNumber } from "./whole-number.ts";

/** What layers that the contract may not import say about path filters. */
export interface PathFilterRules {
  /** What is wrong with the patterns of a field ("is no regular expression …"). Absent: patterns are not checked. */
  readonly patternProblems?: (patterns: readonly string[], field: string) => readonly ErrorDetail[];
  /** How many segments the path of a URL has, as a crawl counts them. Absent: the depth of the start is not checked. */
  readonly pathDepth?: (url: string) => number;
}

/** Most patterns in one list. */
const maxPatterns = 1000;
/** Characters of the longest pattern. */
const maxPatternLength = 2000;

const patterns = list(z.string().max(maxPatternLength), maxPatterns);

export const pathFilterFields = {
  excludePaths: patterns.default([]),
  includePaths: patterns.default([]),
  maxDepth: wholeNumber().min(0),
  regexOnFullURL: z.boolean().default(false),
};

interface PathFilters {
  readonly url: string;
  readonly excludePaths: readonly string[];
  readonly includePaths: readonly string[];
  readonly maxDepth?: number | undefined;
}

/** Reports a start that is too deep, and every pattern that cannot run. */
export function pathFilterChecks(rules: PathFilterRules) {
  const { pathDepth = () => 0 } = rules;
  return [
    rule<PathFilters>(
      ["url", "maxDepth"],
      ["url"],
      ({ url, maxDepth }) => `lies ${pathDepth(url)} segments deep, deeper than maxDepth, which is ${maxDepth}`,
      ({ url, maxDepth = Number.POSITIVE_INFINITY }) => pathDepth(url) <= maxDepth,
    ),
    checkPatterns("excludePaths", rules),
    checkPatterns("includePaths", rules),
  ] as const;
}

const isPattern = (value: unknown) => typeof value === "string" && value.length <= maxPatternLength;

function checkPatterns(field: "excludePaths" | "includePaths", { patternProblems }: PathFilterRules) {
  return z.superRefine<PathFilters>(
    (request, context) => {
      // What is no pattern at all has its own issue.
      const judged = request[field].map((pattern) => (isPattern(pattern) ? pattern : ""));
      for (const { path, message } of patternProblems?.(judged, field) ?? []) {
        context.addIssue({ code: "custom", path: [...path], message, input: request[field] });
      }
    },
    { when: whenListsSound([field]) },
  );
}
