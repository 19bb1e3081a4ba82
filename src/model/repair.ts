/** Reads the JSON in a model's answer, also when it is fenced, surrounded by talk, or slightly broken. */
import { jsonrepair } from "jsonrepair";

/**
 * Longer answers are read as they are or not at all: on a text made for it the repair takes the square of its length,
 * which for this one is some tenths of a second. A model is asked once more instead.
 */
const maxRepairedLength = 16_000;

/** The value, or undefined when there is no JSON to be read. */
export function readAnswer(answer: string): { value: unknown } | undefined {
  const text = withoutFence(answer.trim());
  const whole = parse(text);
  if (whole !== undefined) return whole;
  const start = text.search(/[[{]/);
  if (start === -1 || text.length > maxRepairedLength) return undefined;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const inner = end > start ? parse(text.slice(start, end + 1)) : undefined;
  return inner ?? repair(end > start ? text.slice(start, end + 1) : text.slice(start)) ?? repair(text.slice(start));
}

function withoutFence(text: string): string {
  const open = /^[^\n`{[]{0,200}```[a-z]*[ \t]*\n?/i.exec(text);
  if (open === null) return text;
  const end = text.lastIndexOf("```");
  return text.slice(open[0].length, end > open[0].length ? end : text.length).trim();
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function repair(text: string): { value: unknown } | undefined {
  try {
    const read = parse(jsonrepair(text));
    // Talk without any JSON is "repaired" into a string.
    return typeof read?.value === "object" ? read : undefined;
  } catch {
    return undefined;
  }
}
