/** Searches texts for RE2 patterns in linear time, whoever wrote the patterns. */

import type { RE2Set } from "re2js";
import { Automaton } from "./automaton.ts";
import { readProgram } from "./automaton-program.ts";

/**
 * Creates a test that is true if one of the patterns is found anywhere in a text. The first text compiles them.
 *
 * @param bytes how much memory may be used to remember states that earlier texts have led to
 */
export function patternFinder(patterns: RE2Set, bytes: number): (text: string) => boolean {
  let automaton: Automaton | undefined;
  let isRead = false;
  return (text) => {
    if (!isRead) {
      isRead = true;
      patterns.compile();
      const program = readProgram(patterns);
      automaton = program && new Automaton(program, bytes);
    }
    return automaton?.test(text) ?? patterns.match(text).length > 0;
  };
}
