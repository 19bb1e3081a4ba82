// Emphasis: chooses marks for openings and closings so that CommonMark reads them as such.

import { isPunctuation, isSpace, isWord } from "./escape.ts";
import type { BreakStyle, Format, Token } from "./tokens.ts";

/** A hard break in each style. */
export const breaks: Readonly<Record<BreakStyle, string>> = { paragraph: "  \n", cell: "<br>", line: " " };

/**
 * Neither space nor punctuation to those who read markdown: they look at half of an emoji, and a sign that changes the
 * one before it is none of its own.
 */
const joins = (character: string): boolean => character.length > 1 || isWord(character) || /^\p{M}/u.test(character);

/** `word**(bracket).**word` is no emphasis in CommonMark, so punctuation at the edge is moved outside. */
export function movePunctuationOut(tokens: Token[], style: BreakStyle): void {
  for (let index = 1; index < tokens.length - 1; index++) {
    const token = tokens[index]!;
    if ((token.kind !== "open" && token.kind !== "close") || isTag(token.format)) continue;
    const inside = tokens[token.kind === "open" ? index + 1 : index - 1]!;
    const outside = tokens[token.kind === "open" ? index - 1 : index + 1]!;
    if (inside.kind !== "text" || outside.kind !== "text") continue;
    if (token.kind === "open") {
      const edge = /^[\p{P}\p{S}\s]+(?=[\p{L}\p{N}])/u.exec(inside.text)?.[0];
      if (edge === undefined || !joins(lastCharacter(outside, style))) continue;
      inside.text = inside.text.slice(edge.length);
      outside.text += edge;
    } else {
      const edge = trailingPunctuation(inside.text);
      if (edge === "" || edge.length === inside.text.length || !joins(firstCharacter(outside, style))) continue;
      inside.text = inside.text.slice(0, -edge.length);
      outside.text = edge + outside.text;
    }
  }
}

function trailingPunctuation(text: string): string {
  let at = text.length;
  while (at > 0 && (isPunctuation(text[at - 1]!) || text[at - 1] === " ")) at--;
  return text.slice(at);
}

const noMarks: readonly string[] = [];

/** The mark for each opening and closing token; HTML tags where marks would not be read as such. */
export function chooseMarks(tokens: readonly Token[], style: BreakStyle): readonly string[] {
  if (!tokens.some(({ kind }) => kind === "close")) return noMarks;
  const marks: string[] = [];
  const openings: number[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token.kind === "open") openings.push(index);
    if (token.kind !== "close") continue;
    const at = openings.pop();
    if (at === undefined) continue;
    const before = lastCharacter(tokens[at - 1], style);
    const first = firstCharacter(tokens[at + 1], style);
    const last = lastCharacter(tokens[index - 1], style);
    const after = firstCharacter(tokens[index + 1], style);
    const opens = !isSpace(first) && !(joins(before) && (isPunctuation(first) || beginsWithAddress(tokens[at + 1])));
    const closes = !isSpace(last) && !(joins(after) && (isPunctuation(last) || endsWithAddress(tokens[index - 1])));
    const inWord = joins(before) || joins(after);
    // Adjacent marks of the same sign would be read as one.
    const isAlone = !(
      isMark(tokens[at - 1]) ||
      isMark(tokens[at + 1]) ||
      isMark(tokens[index - 1]) ||
      isMark(tokens[index + 1])
    );
    const needsStar = inWord || beginsWithMail(tokens[at + 1]);
    const mark = opens && closes ? markOf(token.format, needsStar, isAlone) : undefined;
    // A bold comma looks like any other: nobody misses its emphasis, but a tag would be in a reader's way.
    const isLost = mark === undefined && isEmphasis(token.format) && index === at + 2 && isSigns(tokens[at + 1]!);
    marks[at] = isLost ? "" : (mark ?? `<${token.format}>`);
    marks[index] = isLost ? "" : (mark ?? `</${token.format}>`);
  }
  return marks;
}

function markOf(format: Format, needsStar: boolean, isAlone: boolean): string | undefined {
  if (format === "strong") return "**";
  if (format === "em") return needsStar ? (isAlone ? "*" : undefined) : "_";
  return format === "del" ? "~~" : undefined;
}

/** An address may be written in angle brackets, which are punctuation. */
const beginsWithAddress = (token: Token | undefined): boolean =>
  token?.kind === "text" && /^(?:https?|ftp):/i.test(token.text);
const endsWithAddress = (token: Token | undefined): boolean =>
  token?.kind === "text" && /(?:https?|ftp):\/\/\S*$/i.test(token.text.slice(-longestAddress));
/** Some readers take an underscore before a mail address for its first sign. */
const beginsWithMail = (token: Token | undefined): boolean =>
  token?.kind === "text" && /^[\w.+-]{1,64}@\w/.test(token.text);
/** Longer ones are not looked for, which would take time. */
const longestAddress = 300;

const isEmphasis = (format: Format): boolean => format === "strong" || format === "em";

const isSigns = (token: Token): boolean => token.kind === "text" && !/[\p{L}\p{N}]/u.test(token.text);

/** A format that is always written as a tag may begin with anything: 10<sup>-3</sup>. */
const isTag = (format: Format): boolean => format === "sub" || format === "sup" || format === "kbd";

const isMark = (token: Token | undefined): boolean => token?.kind === "open" || token?.kind === "close";

/** The character with which a token will begin; "" if there is none. */
export function firstCharacter(token: Token | undefined, style: BreakStyle): string {
  if (token === undefined) return "";
  if (token.kind === "text" || token.kind === "raw") return startOf(token.text);
  // In a link a break begins with a backslash, but what precedes it must know that a line ends.
  return token.kind === "break" ? (style === "paragraph" ? "\n" : breaks[style][0]!) : signs[token.kind];
}

/** The character with which a token will end. */
export function lastCharacter(token: Token | undefined, style: BreakStyle): string {
  if (token === undefined) return "";
  if (token.kind === "text" || token.kind === "raw") return endOf(token.text);
  return token.kind === "break" ? breaks[style].at(-1)! : token.kind === "linkEnd" ? ")" : signs[token.kind];
}

/** The first character of a text, also if it consists of two code units. */
const startOf = (text: string): string => ((text.codePointAt(0) ?? 0) > 0xffff ? text.slice(0, 2) : (text[0] ?? " "));

/** The last character of a text. */
function endOf(text: string): string {
  const isPair = (text.codePointAt(text.length - 2) ?? 0) > 0xffff;
  return text.slice(isPair ? -2 : -1);
}

const signs = { space: " ", open: "*", close: "*", link: "[", linkEnd: "]" } as const;
