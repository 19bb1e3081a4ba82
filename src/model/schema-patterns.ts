/**
 * `pattern` and `patternProperties`: regular expressions of JavaScript, as JSON Schema wants them, run in linear time.
 */
import { RE2JS, RE2Set } from "re2js";
import { weightOf } from "../shared/automaton-program.ts";
import { patternFinder } from "../shared/pattern-finder.ts";
import { expandedSize } from "../shared/pattern-size.ts";

const maxPatternLength = 500;
/** Longest pattern with its repetitions written out: each character of a text may take as many steps. */
const maxExpandedSize = 2000;
/** Memory that one pattern may use to remember states; a schema may have hundreds of patterns. */
const keptBytes = 64 * 1024;
/** Characters of a text, times those of the pattern with its repetitions written out, that count as one step. */
const charactersInStep = 2048;
/** Weight of a compiled pattern that counts as one step of compiling it. */
const weightInStep = 256;
/** Memory for each unit of that weight. */
const bytesOfWeight = 8;

/** Halves of a surrogate pair have no meaning in an engine that reads whole characters. */
const halfOfCharacter = /\\u(?:d[89a-f]|\{0*d[89a-f]..\})/i;

interface Compiled {
  /** Null for a pattern that cannot run in linear time. */
  readonly isFound: ((text: string) => boolean) | null;
  readonly size: number;
  /** About how much memory it takes. */
  readonly bytes: number;
  /** Steps that compiling it took, until they have been counted. */
  uncounted: number;
}

/**
 * Compiled patterns of all schemas: those of one check the answer about each page, and compiling one may take longer than
 * all other work on a page. As none is moved when it is used, the map changes only with a pattern that is new.
 */
class KeptPatterns {
  readonly #compiled = new Map<string, Compiled>();
  #bytes = 0;

  of(pattern: string): Compiled {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = compile(pattern);
    this.#compiled.set(pattern, compiled);
    this.#bytes += compiled.bytes;
    for (const [oldest, { bytes }] of this.#compiled) {
      if (this.#bytes <= maxKeptBytes) break;
      this.#compiled.delete(oldest);
      this.#bytes -= bytes;
    }
    return compiled;
  }
}

const maxKeptBytes = 8 * 1024 * 1024;
const kept = new KeptPatterns();

export class SchemaPatterns {
  readonly #compiled = new Map<string, Compiled>();

  /** Undefined for a pattern that cannot run in linear time: it is not checked. */
  isFound(pattern: string, text: string): boolean | undefined {
    return this.#of(pattern).isFound?.(text);
  }

  /** How much work {@link isFound} takes at most; for a pattern's first text, compiling it is part of that. */
  stepsFor(pattern: string, text: string): number {
    const compiled = this.#of(pattern);
    const steps = 1 + compiled.uncounted + Math.floor((text.length * compiled.size) / charactersInStep);
    compiled.uncounted = 0;
    return steps;
  }

  #of(pattern: string): Compiled {
    let compiled = this.#compiled.get(pattern);
    if (compiled === undefined) {
      compiled = kept.of(pattern);
      this.#compiled.set(pattern, compiled);
    }
    return compiled;
  }
}

/** What `\\s` and `\\S` mean in JavaScript, as ranges of a class; the engine knows only the spaces of ASCII. */
const spaces = "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const others =
  "\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\u00a1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\u{10ffff}";

function withSpaces(pattern: string): string {
  let isInClass = false;
  return pattern.replace(/\\[\s\S]|[[\]]/g, (part) => {
    if (part === "[" || part === "]") isInClass = part === "[";
    const ranges = part === "\\s" ? spaces : part === "\\S" ? others : undefined;
    return ranges === undefined ? part : isInClass ? ranges : `[${ranges}]`;
  });
}

function compile(pattern: string): Compiled {
  const size = expandedSize(pattern);
  if (pattern.length > maxPatternLength || size > maxExpandedSize || halfOfCharacter.test(pattern))
    return impossible(pattern);
  try {
    const set = new RE2Set();
    set.add(RE2JS.translateRegExp(withSpaces(pattern)));
    set.compile();
    const weight = weightOf(set);
    return {
      isFound: patternFinder(set, keptBytes),
      size,
      bytes: keptBytes + bytesOfWeight * weight,
      uncounted: Math.floor(weight / weightInStep),
    };
  } catch {
    return impossible(pattern);
  }
}

function impossible({ length }: string): Compiled {
  return { isFound: null, size: 0, bytes: 1024 + length, uncounted: 0 };
}
