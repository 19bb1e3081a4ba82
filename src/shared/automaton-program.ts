/** Reads the program that RE2 has compiled from patterns into columns, which are quicker to walk. */

import type { RE2Set } from "re2js";

/** An instruction of RE2's compiler. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

/** Kinds of steps. The borders of groups and instructions that do nothing are no steps. */
export const step = { fail: 0, fork: 1, assertion: 2, character: 3, match: 4 } as const;

/** The instructions of RE2 by the numbers that re2js, whose version is pinned, gives them. */
const kinds: Readonly<Record<number, number>> = {
  1: step.fork, // ALT
  2: step.fork, // ALT_MATCH
  4: step.assertion, // EMPTY_WIDTH
  5: step.fail, // FAIL
  6: step.match, // MATCH
  8: step.character, // RUNE
  9: step.character, // RUNE1
  10: step.character, // RUNE_ANY
  11: step.character, // RUNE_ANY_NOT_NL
};

/** Instructions that only lead to the next one: the borders of groups (CAPTURE), and those that do nothing (NOP). */
const passing = new Set([3, 7]);

/** Numbers of 32 bits that hold a bit for each ASCII character. */
export const asciiWords = 4;

export interface Program {
  readonly start: number;
  readonly size: number;
  readonly kind: Uint8Array;
  /** Where a step leads; for a fork, one of the two places. */
  readonly out: Int32Array;
  /** For a fork the other place, for an assertion its conditions, for a character the number of its class. */
  readonly other: Int32Array;
  /** For each class of characters, a bit for each ASCII character. */
  readonly ascii: Uint32Array;
  readonly classes: readonly { matchRune(codePoint: number): boolean }[];
  /** The conditions of all assertions together. */
  readonly asserted: number;
}

/** Undefined if the program contains an unknown instruction; then the set itself has to do the matching. */
export function readProgram({ prog }: RE2Set): Program | undefined {
  const size = prog.numInst();
  const instructions = Array.from({ length: size }, (_, at) => prog.getInst(at) as Instruction);
  const kind = new Uint8Array(size);
  const out = new Int32Array(size);
  const other = new Int32Array(size);
  const classes = new Classes();
  let asserted = 0;
  for (const [at, instruction] of instructions.entries()) {
    if (passing.has(instruction.op)) continue;
    const known = kinds[instruction.op];
    if (known === undefined) return undefined;
    kind[at] = known;
    out[at] = skipped(instructions, instruction.out);
    if (known === step.fork) other[at] = skipped(instructions, instruction.arg);
    if (known === step.assertion) {
      other[at] = instruction.arg;
      asserted |= instruction.arg;
    }
    if (known !== step.character) continue;
    other[at] = classes.numberOf(instruction);
  }
  const start = skipped(instructions, prog.start);
  return { start, size, kind, out, other, ascii: classes.ascii(), classes: classes.all, asserted };
}

/** How much work compiling and reading a program is, which its pattern's length does not tell: characters and ranges. */
export function weightOf({ prog }: RE2Set): number {
  let weight = 0;
  for (let at = 0; at < prog.numInst(); at++) {
    const { op, runes } = prog.getInst(at) as Instruction;
    if (kinds[op] === step.character) weight += 32 * asciiWords + runes.length;
  }
  return weight;
}

/** The first instruction from here on that does more than lead to the next. */
function skipped(instructions: readonly Instruction[], from: number): number {
  let at = from;
  for (let passed = 0; passed <= instructions.length; passed++) {
    const instruction = instructions[at];
    if (instruction === undefined || !passing.has(instruction.op)) break;
    at = instruction.out;
  }
  return at;
}

/** The classes of characters, each once, so that steps with equal classes share the answer about a character. */
class Classes {
  readonly all: Instruction[] = [];
  readonly #numbers = new Map<number, number[]>();

  numberOf(instruction: Instruction): number {
    const hash = hashOf(instruction);
    let alike = this.#numbers.get(hash);
    if (alike === undefined) {
      alike = [];
      this.#numbers.set(hash, alike);
    }
    for (const number of alike) if (isSame(this.all[number]!, instruction)) return number;
    alike.push(this.all.length);
    return this.all.push(instruction) - 1;
  }

  ascii(): Uint32Array {
    const bits = new Uint32Array(this.all.length * asciiWords);
    for (const [number, instruction] of this.all.entries()) {
      for (let code = 0; code < 128; code++) {
        if (!instruction.matchRune(code)) continue;
        const word = number * asciiWords + (code >> 5);
        bits[word] = (bits[word] ?? 0) | (1 << (code & 31));
      }
    }
    return bits;
  }
}

// By index: a pattern may have hundreds of classes with a thousand ranges each.

function hashOf({ arg, runes }: Instruction): number {
  let hash = arg;
  for (let at = 0; at < runes.length; at++) hash = Math.imul(hash ^ runes[at]!, 0x0100_0193);
  return hash;
}

function isSame(one: Instruction, other: Instruction): boolean {
  if (one.arg !== other.arg || one.runes.length !== other.runes.length) return false;
  for (let at = 0; at < one.runes.length; at++) if (one.runes[at] !== other.runes[at]) return false;
  return true;
}
