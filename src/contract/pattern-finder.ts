/** Whether patterns of RE2 are found in a text, in a time that a stranger's patterns cannot make long. */

import type { RE2Set } from "re2js";
import { Automaton } from "./automaton.ts";
import { readProgram } from "./automaton-program.ts";

/**
 * True when one of the patterns is found anywhere in a text. They are compiled when the first text comes.
 *
 * @param bytes what it may keep of texts it has seen
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
