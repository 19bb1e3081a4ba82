/** Finds the robots.txt rule that decides about a path. */

import { normaliseEscapes } from "./percent-encoding.ts";

/** One `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean;
  /** As written; never empty. */
  readonly pattern: string;
}

interface WildcardRule {
  readonly allow: boolean;
  readonly length: number;
  /** Literal parts between the stars. */
  readonly parts: readonly string[];
  /** The pattern ended in `$`. */
  readonly anchored: boolean;
}

/** No honest file has more. They are tried one by one, so their number limits the work for a URL. */
const maxWildcardRules = 2000;

/**
 * RFC 9309: the longest pattern that matches decides, `Allow` wins a tie, no match allows. The time for a path depends on
 * its length and on the number of wildcard rules, not on the number of plain ones.
 */
export function compileRobotsRules(rules: Iterable<RobotsRule>): (path: string) => boolean {
  const plain = new Map<string, boolean>();
  const plainLengths = new Set<number>();
  const wildcards: WildcardRule[] = [];
  for (const { allow, pattern } of rules) {
    const canonical = canonicalPattern(pattern);
    if (canonical.includes("*") || canonical.endsWith("$")) {
      if (wildcards.length < maxWildcardRules) wildcards.push(wildcardRule(canonical, allow));
    } else {
      plain.set(canonical, allow || plain.get(canonical) === true);
      plainLengths.add(canonical.length);
    }
  }
  const lengths = [...plainLengths].sort((left, right) => right - left);
  wildcards.sort((left, right) => right.length - left.length || Number(right.allow) - Number(left.allow));

  return (rawPath) => {
    const path = canonicalPath(rawPath);
    const prefix = lengths.find((length) => length <= path.length && plain.has(path.slice(0, length))) ?? -1;
    const prefixAllows = prefix < 0 || plain.get(path.slice(0, prefix)) === true;
    for (const rule of wildcards) {
      if (rule.length < prefix) break;
      if (!matchesWildcards(rule, path)) continue;
      return rule.length === prefix ? rule.allow || prefixAllows : rule.allow;
    }
    return prefixAllows;
  };
}

/** In a path, stars and dollars are literal; in a pattern, only escaped ones are. */
function canonicalPath(path: string): string {
  return canonicalText(path).replaceAll("*", "%2A").replaceAll("$", "%24");
}

function canonicalPattern(pattern: string): string {
  const text = canonicalText(pattern).replace(/\*{2,}/g, "*");
  const anchored = text.endsWith("$");
  const body = (anchored ? text.slice(0, -1) : text).replaceAll("$", "%24");
  return anchored ? `${body}$` : body;
}

/** Characters that URL parsers encode, some of them only before a `?`: in rules and in URLs they are compared encoded. */
const unwritten = /[^!-~]+|["<>^`{|}]+/g;

/** A `%` in a pattern may not be an escape of its own, but match the escapes of many paths: `/*%`. */
function canonicalText(text: string): string {
  return normaliseEscapes(text.replace(unwritten, (letters) => encodeURIComponent(letters.toWellFormed())));
}

function wildcardRule(pattern: string, allow: boolean): WildcardRule {
  const anchored = pattern.endsWith("$");
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  return { allow, length: pattern.length, parts, anchored };
}

/** Each part is matched at its first position after the one before; with stars only, no backtracking is needed. */
function matchesWildcards({ parts, anchored }: WildcardRule, path: string): boolean {
  const last = parts.length - 1;
  if (!path.startsWith(parts[0]!)) return false;
  if (last === 0) return path.length === parts[0]!.length;
  let position = parts[0]!.length;
  for (let index = 1; index < (anchored ? last : parts.length); index++) {
    const found = path.indexOf(parts[index]!, position);
    if (found < 0) return false;
    position = found + parts[index]!.length;
  }
  return !anchored || (path.length - position >= parts[last]!.length && path.endsWith(parts[last]!));
}
