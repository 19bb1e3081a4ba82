/** Reads the JSON in a model's answer, even if it is fenced, surrounded by talk, or slightly broken. */
import { jsonrepair } from "jsonrepair";
import { closeOpen, endsOpen, piecesOf, withoutUnfinished } from "./json-pieces.ts";
import { splitThoughts } from "./thoughts.ts";

/**
 * Longer answers are not repaired, only closed if they broke off: for a malicious text, the repair takes time quadratic
 * in its length, which for this length is some tenths of a second. The model is asked once more instead.
 */
const maxRepairedLength = 16_000;
/**
 * Most blocks and pieces of a text that are tried; trying a piece that is not JSON takes as long as parsing a page of
 * text that is.
 */
const maxTries = 100;

interface ReadAnswer {
  readonly value: unknown;
  /** The answer ends before its brackets are closed, so something is missing. */
  readonly brokenOff?: true;
  /** What may be meant if the value does not fit. */
  readonly otherwise?: unknown;
}

/**
 * The value; undefined if there is no readable JSON.
 *
 * @param isCut the model was not allowed to say more
 */
export function readAnswer(answer: string, isCut = false): ReadAnswer | undefined {
  const whole = answer.trim();
  const [thoughts, text] = splitThoughts(whole);
  return parse(whole) ?? read(text, whole, isCut) ?? (thoughts === "unopened" ? read(whole, whole, isCut) : undefined);
}

/** @param tried a text that is known not to be JSON */
function read(answer: string, tried: string, isCut: boolean): ReadAnswer | undefined {
  const text = withoutFence(answer);
  return (text === tried ? undefined : parse(text)) ?? fenced(text) ?? spoken(text) ?? broken(text, isCut);
}

function withoutFence(text: string): string {
  const open = /^[^\n`{[]{0,200}```[a-z]*[ \t]*\n?/i.exec(text);
  if (open === null) return text;
  const end = text.lastIndexOf("```");
  return text.slice(open[0].length, end > open[0].length ? end : text.length).trim();
}

/** The last of several fenced blocks that is JSON, because a model that corrects itself does so at the end. */
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

/**
 * The longest piece of JSON among the talk, or the last one, because a model that corrects itself does so at the end: if
 * it says so, or repeats all of it. Pieces with nothing between them are one list, and are left to the repair.
 */
function spoken(text: string): ReadAnswer | undefined {
  const found = piecesOf(text);
  const longestFirst = found.toSorted((left, right) => right.length - left.length);
  if (text.length > maxRepairedLength) return firstOf(longestFirst.slice(0, maxTries));
  const pieces = found.filter((piece) => structure(piece) !== undefined);
  if (pieces.length > 1 && isOnly(text, pieces)) return undefined;
  const longest = firstOf(longestFirst);
  const piece = pieces.at(-1) ?? "";
  const last = structure(piece);
  if (longest === undefined || last === undefined) return longest;
  const isFinal = finalWords.test(text.slice(0, text.lastIndexOf(piece)));
  const isRepeated = piece.length >= longestFirst[0]!.length && haveSameKeys(longest.value, last.value);
  const [first, other] = isFinal || isRepeated ? [last, longest] : [longest, last];
  return { ...first, otherwise: other.value };
}

/** Before a piece that replaces those before it. */
const finalWords = /\b(?:final|corrected|correct|revised|updated)\b[^{}[\].]{0,40}$/i;

function haveSameKeys(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) return Array.isArray(one) && Array.isArray(other);
  const keys = Object.keys(other as object);
  return keys.length === Object.keys(one as object).length && keys.every((key) => Object.hasOwn(one as object, key));
}

function isOnly(text: string, pieces: readonly string[]): boolean {
  const letters = (part: string) => part.replace(/[\s,;]+/g, "").length;
  return letters(text) === pieces.reduce((sum, piece) => sum + letters(piece), 0);
}

function broken(text: string, isCut: boolean): ReadAnswer | undefined {
  const closed = structure(closeOpen(text) ?? "");
  if (closed !== undefined) return { ...closed, brokenOff: true };
  const start = text.search(/[[{]/);
  if (start === -1 || text.length > maxRepairedLength) return undefined;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const bracketed = text.slice(start);
  if (!endsOpen(bracketed)) {
    return (end > start ? repair(text.slice(start, end + 1)) : undefined) ?? repair(bracketed);
  }
  const read = repair(withoutUnfinished(bracketed, isCut));
  return read && { ...read, brokenOff: true };
}

/** To the end of the text if nothing closes it, which keeps the search linear. */
const quoted = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;
/** The repair would make a number of it. */
const halfNumber = /[:[,]\s*(?:-|-?\d[\d.]*e[+-]?)\s*(?=[,}\]]|$)/i;

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Only objects and lists count: a number or a quoted word in a text may be JSON by chance. */
function structure(text: string): { value: unknown } | undefined {
  const read = parse(text);
  return typeof read?.value === "object" && read.value !== null ? read : undefined;
}

function repair(text: string): { value: unknown } | undefined {
  if (halfNumber.test(text.replace(quoted, '""'))) return undefined;
  try {
    // Talk without any JSON is "repaired" into a string.
    return structure(jsonrepair(text));
  } catch {
    return undefined;
  }
}
