/** Converts plain text to markdown that renders as the same text, with no more escapes than needed. */

import { fencedCode } from "./code-marks.ts";
import { addressesIn, apart, escapeLineStart } from "./escape.ts";

/** Characters that would start markup at their place. Each alternative examines one character and its neighbours. */
const inlineMarkup =
  /\\(?=[!-/:-@[-`{-~])|`|(?<=\S)\*|\*(?=\S)|(?<![\p{L}\p{N}\s])_|(?<=\s|^)_(?=\S)|_(?![\p{L}\p{N}\s_]|$)|(?<=\])[(:]|<(?=[a-z/!?])|&(?=#?[a-z0-9]{1,32};)|(?<=\S)~/giu;

/** `&`, 32 signs and `;`: nothing looks further ahead. */
const longestReference = 34;

/** One line of text as markdown, safe within a paragraph, a heading or a list item, but not in a link. */
export function escapeInline(text: string): string {
  const strikes = mayStrike(text);
  let escaped = "";
  let from = 0;
  for (const { address, index, end, runsOn } of addressesIn(text)) {
    const signs = escapeSigns(text, index, end, strikes);
    if (signs === address && !runsOn) continue;
    escaped += escapeSigns(text, from, index, strikes) + apart(address, signs, text[index - 1]);
    from = end;
  }
  return escapeAddresses(escaped + escapeSigns(text, from, text.length, strikes));
}

/** One line of the text of a link, in which GFM does not look for addresses. */
export const escapeLinked = (text: string): string => escapeSigns(text, 0, text.length, mayStrike(text));

/** A tilde alone, which is part of many addresses, has no partner. */
const mayStrike = (text: string): boolean => text.indexOf("~") !== text.lastIndexOf("~");

function escapeSigns(text: string, from: number, to: number, strikes: boolean): string {
  let escaped = "";
  let written = from;
  // No further than what a sign at the end may depend on: there may be thousands of parts.
  const part = text.slice(0, to + longestReference);
  inlineMarkup.lastIndex = from;
  for (let found = inlineMarkup.exec(part); found !== null && found.index < to; found = inlineMarkup.exec(part)) {
    if (found[0] === "~" && !strikes) continue;
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
export const escapeLine = (text: string): string => escapeLineStart(escapeInline(text));

/** A heading of text that is already markdown. Number signs at its end would be left out by readers. */
export const markdownHeading = (level: number, markdown: string): string =>
  `${"#".repeat(level)} ${markdown.replace(/(?<=^|\s)#+$/, "\\$&")}`;

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
