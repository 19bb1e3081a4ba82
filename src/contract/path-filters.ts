/** Patterns and depth by which a request chooses among the URLs of a site. */
import { z } from "zod";
import { list } from "./list.ts";
import { rule, whenSound } from "./rule.ts";

/** What the parts that the contract may not know say about path filters. */
export interface PathFilterRules {
  /** What is wrong with a pattern ("is no regular expression …"); undefined for a good one. Absent: patterns are not checked. */
  readonly patternProblem?: (pattern: string) => string | undefined;
  /** How many segments the path of a URL has, as a crawl counts them. Absent: the depth of the start is not checked. */
  readonly pathDepth?: (url: string) => number;
}

/** Most patterns of one list. */
const maxPatterns = 1000;
/** Characters of the longest pattern. */
const maxPatternLength = 2000;

const patterns = list(z.string().max(maxPatternLength), maxPatterns);

export const pathFilterFields = {
  excludePaths: patterns.default([]),
  includePaths: patterns.default([]),
  maxDepth: z.int().min(0),
  regexOnFullURL: z.boolean().default(false),
};

interface PathFilters {
  readonly url: string;
  readonly excludePaths: readonly string[];
  readonly includePaths: readonly string[];
  readonly maxDepth?: number | undefined;
}

/** Names a start that lies too deep, and every pattern that cannot run. */
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

function checkPatterns(field: "excludePaths" | "includePaths", { patternProblem }: PathFilterRules) {
  return z.superRefine<PathFilters>(
    (request, context) => {
      for (const [at, pattern] of request[field].entries()) {
        const message = patternProblem?.(pattern);
        if (message !== undefined) context.addIssue({ code: "custom", path: [field, at], message, input: pattern });
      }
    },
    { when: whenSound([field]) },
  );
}
