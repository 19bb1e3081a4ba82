/** `includePaths` and `excludePaths`: regular expressions that run in linear time, whoever wrote them. */

import { RE2Set } from "re2js";
import type { ErrorDetail } from "../errors.ts";
import { patternFinder } from "../shared/pattern-finder.ts";
import { expandedSize } from "../shared/pattern-size.ts";
import { decodedUrl } from "../shared/percent-decoding.ts";
import { plainSource, plainTest } from "./plain-patterns.ts";

interface CompiledPatterns {
  readonly size: number;
  /** True when at least one pattern is found anywhere in the text. */
  matches(text: string): boolean;
}

/** Longest single pattern, and all together, with repetitions (up to 1000) written out: they limit the work per URL. */
const maxExpandedSize = 2000;
const maxTotalSize = 10_000;
/** Most characters that repetitions may add to all patterns: each is examined for each character of a URL. */
const maxTotalGrowth = 2000;
/** Bytes of automaton states kept for all patterns together; beyond it the engine computes them anew. */
const maxAutomatonBytes = 4 * 1024 * 1024;
/** Patterns that grow by more lead to other states for nearly every text, so that keeping many of them is a waste. */
const growthWithStates = 100;
const fewAutomatonBytes = 128 * 1024;

const unsupported: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "look-around is not supported: list what is to be left out in excludePaths instead"],
  [/\\[1-9]|\\k</, "back-references are not supported"],
];

/**
 * Compiles patterns in RE2 syntax. They are unanchored, as in `RegExp.test`. `problems` names every pattern that cannot
 * run, with the path `[field, index]`. The request's schema has already limited how many and how long they are.
 *
 * @example
 * readPatterns(["^/blog/"], "includePaths").compiled.matches("/blog/2024"); // true
 */
export function readPatterns(
  patterns: readonly string[],
  field: string,
): { compiled: CompiledPatterns; problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const plain: string[] = [];
  const others = new Map<number, string>();
  let size = 0;
  let growth = 0;
  for (const [index, pattern] of patterns.entries()) {
    const own = expandedSize(pattern);
    const problem = problemOfSize(own, size + own, growth + own - pattern.length);
    if (problem !== undefined) {
      problems.push({ path: [field, index], message: problem });
      continue;
    }
    size += own;
    growth += Math.max(0, own - pattern.length);
    const source = plainSource(pattern);
    if (source === undefined) others.set(index, pattern);
    else plain.push(source);
  }
  // One automaton for all of them: a dozen patterns take no longer than one.
  const bytes = growth > growthWithStates ? fewAutomatonBytes : maxAutomatonBytes;
  const expressions = new RE2Set(RE2Set.UNANCHORED, 0, bytes);
  for (const [index, pattern] of others) {
    try {
      expressions.add(pattern);
    } catch (error) {
      problems.push({ path: [field, index], message: explain(pattern, error) });
    }
  }
  if (patterns.length === 0) return { compiled: { size: 0, matches: () => false }, problems };
  const meansDecoded = patterns.some((pattern) => /[^!-~]|\\[pP]|\\x\{/.test(pattern));
  const isPlain = plainTest(plain);
  const isOther = others.size === 0 ? () => false : patternFinder(expressions, bytes);
  const test = (text: string) => isPlain(text) || isOther(text);
  // URLs are percent-encoded; a pattern with spaces, or with letters or classes of another script, means the decoded form.
  const matches = meansDecoded ? (text: string) => test(text) || isFoundDecoded(text, test) : test;
  return { compiled: { size: patterns.length, matches }, problems };
}

function isFoundDecoded(text: string, test: (text: string) => boolean): boolean {
  const readable = decodedUrl(text);
  return readable !== text && test(readable);
}

/** What is wrong with a list of patterns, individually and together. */
export function patternProblems(patterns: readonly string[], field: string): readonly ErrorDetail[] {
  return readPatterns(patterns, field).problems;
}

function problemOfSize(size: number, total: number, growth: number): string | undefined {
  if (size > maxExpandedSize) return "is too large, with all its repetitions";
  return total > maxTotalSize || growth > maxTotalGrowth ? "makes the patterns too large together" : undefined;
}

function explain(pattern: string, error: unknown): string {
  const known = unsupported.find(([form]) => form.test(pattern))?.[1];
  const reason =
    known ?? (error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error));
  return `is not a pattern that can run in linear time (RE2 syntax): ${reason}`;
}
