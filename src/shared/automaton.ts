/**
 * Tells whether patterns are found in a text, usually in time proportional to its length, at worst times the size of
 * the patterns: where a character leads from a set of places is computed once, and kept as long as there is room.
 */

import { asciiWords, type Program, step } from "./automaton-program.ts";

/** What precedes a position in the text, as far as assertions depend on it. */
const behind = { start: 0, line: 1, word: 2, other: 3 } as const;

/** The conditions of assertions, as RE2 numbers them. */
const asks = { lineStart: 1, lineEnd: 2, textStart: 4, textEnd: 8, edgeOfWord: 16, noEdgeOfWord: 32 } as const;

const endOfText = 128;
const lineFeed = 10;

/** A set of places in the program, reached before some character, and the states to which the next character leads. */
class State {
  readonly places: Int32Array;
  readonly behind: number;
  /** By ASCII character, and by the end of the text; null if a match is found, undefined if not computed yet. */
  readonly next: (State | null | undefined)[] = new Array(endOfText + 1).fill(undefined);

  constructor(places: Int32Array, lies: number) {
    this.places = places;
    this.behind = lies;
  }
}

const bytesOfState = 1200;
/**
 * If a text leads to more new states than this, later texts are unlikely to lead to them again, and few more are kept.
 */
const statesOfText = 200;

export class Automaton {
  readonly #program: Program;
  readonly #maxBytes: number;
  #states = new Map<number, State[]>();
  #bytes = 0;
  /** For each place, the last round in which `#pass` met it. */
  readonly #met: Uint32Array;
  /** For each place, the last round in which `#keep` noted it. */
  readonly #noted: Uint32Array;
  #round = 0;
  /** The places reached before a character, and after it. */
  #here: Int32Array;
  #there: Int32Array;
  #count = 0;
  readonly #stack: Int32Array;
  /**
   * For each class, the last round in which it was asked about a character beyond ASCII; the lowest bit is the answer.
   */
  readonly #asked: Float64Array;

  constructor(program: Program, maxBytes: number) {
    this.#program = program;
    this.#maxBytes = maxBytes;
    this.#met = new Uint32Array(program.size);
    this.#noted = new Uint32Array(program.size);
    this.#here = new Int32Array(program.size + 1);
    this.#there = new Int32Array(program.size + 1);
    this.#stack = new Int32Array(2 * program.size + 2);
    this.#asked = new Float64Array(program.classes.length);
  }

  /** True when a pattern is found anywhere in the text. */
  test(text: string): boolean {
    this.#count = 0;
    let lies: number = behind.start;
    let state: State | undefined = this.#keep(lies);
    let made = 0;
    for (let index = 0; index <= text.length; index++) {
      const code = index < text.length ? (text.codePointAt(index) ?? 0) : -1;
      const column = code < 0 ? endOfText : code;
      const isAscii = code < endOfText;
      const known: State | null | undefined = isAscii ? state?.next[column] : undefined;
      if (known === null) return true;
      if (code > 0xffff) index++;
      if (known !== undefined) {
        state = known;
        continue;
      }
      if (state !== undefined) {
        this.#here.set(state.places);
        this.#count = state.places.length;
        lies = state.behind;
      }
      const isFound = this.#pass(lies, code);
      lies = this.#behind(code);
      const next = isFound ? null : isWorthKeeping(made++) ? this.#keep(lies) : undefined;
      if (isAscii && state !== undefined && next !== undefined) state.next[column] = next;
      if (next === null) return true;
      state = next;
    }
    return false;
  }

  /** What precedes the position after the character, as far as this program's assertions depend on it. */
  #behind(code: number): number {
    const { asserted } = this.#program;
    if (code === lineFeed && (asserted & asks.lineStart) !== 0) return behind.line;
    return (asserted & (asks.edgeOfWord | asks.noEdgeOfWord)) !== 0 && isWord(code) ? behind.word : behind.other;
  }

  /** Replaces the places before the character with those after it. True if a match is found before it. */
  #pass(lies: number, code: number): boolean {
    const { start, kind, out, other, ascii } = this.#program;
    const holds = holding(lies, code);
    const round = this.#nextRound();
    const met = this.#met;
    const stack = this.#stack;
    const here = this.#here;
    const there = this.#there;
    const count = this.#count;
    const word = code >> 5;
    const bit = 1 << (code & 31);
    let found = 0;
    for (let at = -1; at < count; at++) {
      let height = 0;
      // A match may begin at any position.
      const from = at < 0 ? start : here[at]!;
      if (met[from] === round) continue;
      if (kind[from] === step.character && code < 128) {
        met[from] = round;
        if (code >= 0 && (ascii[asciiWords * other[from]! + word]! & bit) !== 0) there[found++] = out[from]!;
        continue;
      }
      stack[height++] = from;
      while (height > 0) {
        const place = stack[--height]!;
        if (met[place] === round) continue;
        met[place] = round;
        switch (kind[place]) {
          case step.character: {
            const number = other[place]!;
            const leads =
              code < 128 ? code >= 0 && (ascii[asciiWords * number + word]! & bit) !== 0 : this.#has(number, code);
            if (leads) there[found++] = out[place]!;
            break;
          }
          case step.fork:
            stack[height++] = other[place]!;
            stack[height++] = out[place]!;
            break;
          case step.assertion:
            if ((other[place]! & ~holds) === 0) stack[height++] = out[place]!;
            break;
          case step.match:
            return true;
        }
      }
    }
    this.#here = there;
    this.#there = here;
    this.#count = found;
    return false;
  }

  /** Whether a class contains the character; each class is asked once in a round. */
  #has(number: number, code: number): boolean {
    const answer = this.#asked[number]!;
    if (answer >= 2 * this.#round) return answer % 2 === 1;
    const has = this.#program.classes[number]!.matchRune(code);
    this.#asked[number] = 2 * this.#round + (has ? 1 : 0);
    return has;
  }

  #nextRound(): number {
    if (this.#round === 0xffff_ffff) {
      this.#round = 0;
      this.#met.fill(0);
      this.#noted.fill(0);
      this.#asked.fill(0);
    }
    return ++this.#round;
  }

  /** The state for the places reached, after duplicates among them are removed. */
  #keep(lies: number): State {
    const here = this.#here;
    const noted = this.#noted;
    const round = this.#nextRound();
    // The order of the places does not matter, so the hash must not depend on it.
    let hash = lies + 1;
    let count = 0;
    for (let at = 0; at < this.#count; at++) {
      const place = here[at]!;
      if (noted[place] === round) continue;
      noted[place] = round;
      here[count++] = place;
      let mixed = Math.imul(place + 1, 0x9e37_79b1);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
      hash = (hash + (mixed ^ (mixed >>> 13))) | 0;
    }
    this.#count = count;
    const known = this.#states
      .get(hash)
      ?.find(
        ({ places, behind: own }) =>
          own === lies && places.length === count && places.every((place) => noted[place] === round),
      );
    return known ?? this.#add(hash, lies, count);
  }

  #add(hash: number, lies: number, count: number): State {
    if (this.#bytes > this.#maxBytes) {
      this.#states = new Map();
      this.#bytes = 0;
    }
    this.#bytes += bytesOfState + 4 * count;
    const state = new State(this.#here.slice(0, count), lies);
    const alike = this.#states.get(hash);
    if (alike === undefined) this.#states.set(hash, [state]);
    else alike.push(state);
    return state;
  }
}

/**
 * After the first states, two in a row of every 32: so a text that keeps returning to the same states is recognised.
 */
function isWorthKeeping(made: number): boolean {
  return made < statesOfText || made % 32 < 2;
}

/** The conditions that hold between what precedes a position and the character after it; -1 is the end of the text. */
function holding(lies: number, code: number): number {
  let holds = 0;
  if (lies === behind.start) holds |= asks.textStart | asks.lineStart;
  if (lies === behind.line) holds |= asks.lineStart;
  if (code < 0) holds |= asks.textEnd | asks.lineEnd;
  if (code === lineFeed) holds |= asks.lineEnd;
  return holds | ((lies === behind.word) === isWord(code) ? asks.noEdgeOfWord : asks.edgeOfWord);
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
