/** Reads the JSON in a model's answer, also when it is fenced, surrounded by talk, or slightly broken. */
import { jsonrepair } from "jsonrepair";
import { endsOpen, piecesOf } from "./json-pieces.ts";

/**
 * Longer answers are read as they are or not at all: on a text made for it the repair takes the square of its length,
 * which for this one is some tenths of a second. A model is asked once more instead.
 */
const maxRepairedLength = 16_000;
/** Blocks and pieces of a text that are tried: each that is no JSON takes as long as a page of text that is. */
const maxTries = 100;

export interface ReadAnswer {
  readonly value: unknown;
  /** The answer ends before its brackets do: what came behind is missing. */
  readonly brokenOff?: true;
}

/** The value, or undefined when there is no JSON to be read. */
export function readAnswer(answer: string): ReadAnswer | undefined {
  const whole = answer.trim();
  const [thoughts, text] = splitThoughts(whole);
  return parse(whole) ?? read(text, whole) ?? (thoughts === "unopened" ? read(whole, whole) : undefined);
}

/** `tried`: a text that is known to be no JSON as it stands. */
function read(answer: string, tried: string): ReadAnswer | undefined {
  const text = withoutFence(answer);
  return (text === tried ? undefined : parse(text)) ?? fenced(text) ?? spoken(text) ?? broken(text);
}

const thoughtsStart = /^(?:<(?:think|thinking|thought|reasoning)>|\[think\])/i;
const thoughtsEnd = /<\/(?:think|thinking|thought|reasoning)>|\[\/think\]/gi;

/**
 * Models that think aloud do so before they answer; what they write there are drafts. The mark before the thoughts is
 * often a part of what the model is asked, so that the answer has only the one behind them.
 */
function splitThoughts(text: string): ["opened" | "unopened" | "none", string] {
  const end = text.matchAll(thoughtsEnd).reduce((_, { index, 0: mark }) => index + mark.length, 0);
  if (end === 0) return ["none", text];
  return [thoughtsStart.test(text) ? "opened" : "unopened", text.slice(end).trim()];
}

function withoutFence(text: string): string {
  const open = /^[^\n`{[]{0,200}```[a-z]*[ \t]*\n?/i.exec(text);
  if (open === null) return text;
  const end = text.lastIndexOf("```");
  return text.slice(open[0].length, end > open[0].length ? end : text.length).trim();
}

/** Of several fenced blocks the last that is JSON: a model that corrects itself does so at the end. */
function fenced(text: string): { value: unknown } | undefined {
  const blocks = text.split(/^ {0,3}(?:`{3,}|~{3,}).*$/m);
  if (blocks.length === 1) return undefined;
  const likely = blocks.filter((block) => /^\s*[[{]/.test(block));
  return firstOf(likely.slice(-maxTries).reverse());
}

function firstOf(texts: readonly string[]): { value: unknown } | undefined {
  for (const text of texts) {
    const read = structure(text);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** The longest piece of JSON among the talk. Pieces with nothing between them are one list: they are left to the repair. */
function spoken(text: string): { value: unknown } | undefined {
  const found = piecesOf(text).sort((left, right) => right.length - left.length);
  if (text.length > maxRepairedLength) return firstOf(found.slice(0, maxTries));
  const pieces = found.filter((piece) => structure(piece) !== undefined);
  const [first, ...others] = pieces;
  if (first === undefined) return undefined;
  return others.length > 0 && isOnly(text, pieces) ? undefined : structure(first);
}

function isOnly(text: string, pieces: readonly string[]): boolean {
  const letters = (part: string) => part.replace(/[\s,;]+/g, "").length;
  return letters(text) === pieces.reduce((sum, piece) => sum + letters(piece), 0);
}

function broken(text: string): ReadAnswer | undefined {
  const start = text.search(/[[{]/);
  if (start === -1 || text.length > maxRepairedLength) return undefined;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const read = (end > start ? repair(text.slice(start, end + 1)) : undefined) ?? repair(text.slice(start));
  return read === undefined || !endsOpen(text.slice(start)) ? read : { ...read, brokenOff: true };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** What is said in passing may be JSON by chance: a number, a word in quotes. */
function structure(text: string): { value: unknown } | undefined {
  const read = parse(text);
  return typeof read?.value === "object" && read.value !== null ? read : undefined;
}

function repair(text: string): { value: unknown } | undefined {
  try {
    // Talk without any JSON is "repaired" into a string.
    return structure(jsonrepair(text));
  } catch {
    return undefined;
  }
}
