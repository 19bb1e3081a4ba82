/** `pattern` and `patternProperties`: regular expressions of JavaScript, as JSON Schema wants them, run in linear time. */
import { RE2JS } from "re2js";

const maxPatternLength = 500;
const maxMatchedLength = 20_000;

/** Halves of a character have no meaning in an engine that reads whole ones. */
const halfOfCharacter = /\\u(?:d[89a-f]|\{0*d[89a-f]..\})/i;

export class SchemaPatterns {
  readonly #compiled = new Map<string, RE2JS | null>();

  /** Undefined for a pattern that cannot run in linear time: it is not checked. */
  isFound(pattern: string, text: string): boolean | undefined {
    let compiled = this.#compiled.get(pattern);
    if (compiled === undefined) {
      compiled = compile(pattern);
      this.#compiled.set(pattern, compiled);
    }
    return compiled?.matcher(text.slice(0, maxMatchedLength)).find();
  }
}

function compile(pattern: string): RE2JS | null {
  if (pattern.length > maxPatternLength || halfOfCharacter.test(pattern)) return null;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return null;
  }
}
