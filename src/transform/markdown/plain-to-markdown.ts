/** Converts plain text to markdown that renders as the same text, with no more escapes than needed. */

import { fencedCode } from "./code-marks.ts";
import { addressesIn, apart } from "./escape.ts";

/** Characters that would start markup at their place. Each alternative examines one character and its neighbours. */
const inlineMarkup =
  /\\(?=[!-/:-@[-`{-~])|`|(?<=\S)\*|\*(?=\S)|(?<![\p{L}\p{N}\s])_|(?<=\s|^)_(?=\S)|_(?![\p{L}\p{N}\s_]|$)|(?<=\])[(:]|<(?=[a-z/!?])|&(?=#?[a-z0-9]{1,32};)|~(?=~)/giu;

/** `&`, 32 signs and `;`: nothing looks further ahead. */
const longestReference = 34;

/** What turns a line into something other than text when it is at the start. */
const blockMarkup = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~{3}|=+\s*$|-{2,}\s*$)/;
const numberMarkup = /^(\d{1,9})([.)])(?=\s|$)/;

/** One line of text as markdown, safe within a paragraph, a heading or a list item, but not in a link. */
export function escapeInline(text: string): string {
  let escaped = "";
  let from = 0;
  for (const { address, index, end, runsOn } of addressesIn(text)) {
    const signs = escapeSigns(text, index, end);
    if (signs === address && !runsOn) continue;
    escaped += escapeSigns(text, from, index) + apart(address, signs, text[index - 1]);
    from = end;
  }
  return escapeAddresses(escaped + escapeSigns(text, from, text.length));
}

/** One line of the text of a link, in which GFM does not look for addresses. */
export const escapeLinked = (text: string): string => escapeSigns(text, 0, text.length);

function escapeSigns(text: string, from: number, to: number): string {
  let escaped = "";
  let written = from;
  // No further than what a sign at the end may depend on: there may be thousands of parts.
  const part = text.slice(0, to + longestReference);
  inlineMarkup.lastIndex = from;
  for (let found = inlineMarkup.exec(part); found !== null && found.index < to; found = inlineMarkup.exec(part)) {
    escaped += `${text.slice(written, found.index)}\\${found[0]}`;
    written = found.index + found[0].length;
  }
  return escaped + text.slice(written, to);
}

/**
 * GFM takes a backslash as part of an address that it finds in a text, so an escaped tag right after an address would
 * be a real tag. With an escaped sign in it, the address is not one for GFM.
 */
export function escapeAddresses(markdown: string): string {
  if (!markdown.includes("\\<")) return markdown;
  return markdown.replace(beforeTag, (text) => text.replace(addressStart, "$&\\"));
}

/** Matches from the beginnings of words only, which takes linear time. */
const beforeTag = /(?<![^\s<>])[^\s<>]+\\(?=<)/g;
const addressStart = /(?:https?|ftp)(?=:\/\/)|(?<![\p{L}\p{N}])www(?=\.)/giu;

/** One line of text as markdown at the start of a line. */
export function escapeLine(text: string): string {
  return escapeBlockMark(escapeInline(text));
}

/** Escapes the start of a line, in markdown whose inline markup is already escaped. */
export function escapeBlockMark(markdown: string): string {
  if (blockMarkup.test(markdown)) return `\\${markdown}`;
  return markdown.replace(numberMarkup, "$1\\$2");
}

/** A link around text that is already markdown. */
export function markdownLink(markdown: string, url: string): string {
  const target = url.replace(/[\s()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  // A bracket in the text is harmless if it has a partner, as most have.
  const text = bracketsPair(markdown) ? markdown : markdown.replace(/(?<!\\)[[\]]/g, "\\$&");
  return `[${text}](${target})`;
}

function bracketsPair(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "[") open++;
    else if (character === "]" && --open < 0) return false;
  }
  return open === 0;
}

/** A fenced block with exactly this text. */
export function fenced(text: string, language = ""): string {
  return fencedCode(text.endsWith("\n") ? text.slice(0, -1) : text, language);
}
