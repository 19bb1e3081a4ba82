// Escapes text so that it is read as text, with no more escapes than needed.

/** What is on both sides of a text, and which signs may have a partner in its paragraph. */
export interface EscapeContext {
  readonly before: string;
  readonly after: string;
  readonly inLink: boolean;
  /** The text is followed by a link, so that a `!` at its end would make it a picture. */
  readonly linkFollows: boolean;
  /** What follows the text would be read as part of an address at its end. */
  readonly goesOn: boolean;
  /** True if the sign occurs more than once in the paragraph. */
  readonly paired: (sign: string) => boolean;
}

/** Within brackets or a tag, all signs are escaped without looking for partners. */
export const insideBrackets: EscapeContext = {
  before: "",
  after: "",
  inLink: true,
  linkFollows: true,
  goesOn: false,
  paired: () => true,
};

const special = /[\\`*_~[\]<&!]/;
/** The same for each ASCII character. */
const isSpecial = Uint8Array.from({ length: 127 }, (_, code) => (special.test(String.fromCharCode(code)) ? 1 : 0));
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;
/** In angle brackets it is a link, as in the name of a message. */
const mailAddress = /[\w.!#$%&'*+/=?^`{|}~-]{1,254}@/y;
const wordCharacter = /[\p{L}\p{N}]/u;
const asciiPunctuation = /[!-/:-@[-`{-~]/;
const punctuationOrSymbol = /[\p{P}\p{S}]/u;

export const isSpace = (character: string): boolean => character === "" || /\s/.test(character);
export const isWord = (character: string): boolean => wordCharacter.test(character);
/** Part of a word in a script that separates words by spaces. */
export const isSpacedWord = (character: string): boolean => character < "\u2e80" && isWord(character);
export const isPunctuation = (character: string): boolean => punctuationOrSymbol.test(character);

/** True if nothing in a text could be read as inline markup. */
export const isPlain = (text: string): boolean =>
  !special.test(text) && !((text.includes("://") || text.includes("www.")) && runsOn.test(text));

/** Signs that end a sentence or a quotation, or stand around one. GFM takes them for part of an address. */
const endSigns = "。，、；：！？“”„«»「」『』《》【】〈〉〔〕";
/** The end of brackets around an address in a script without spaces. */
const bracketEnd = "\\)(?=[\u2e80-\u2fff\u3001-\uffff])";
const withinAddress = `(?:[^\\s<>[\\])（）${endSigns}]|(?!${bracketEnd})\\))`;
const runsOn = new RegExp(`(?:://|www\\.)[^\\s<]{0,300}(?:[>）${endSigns}]|${bracketEnd})`);

/**
 * An address in a text, which GFM makes a link, taking backslashes as part of it; also right behind a digit or a letter
 * that is not a Latin one, as in scripts without spaces. Some readers do so behind every letter, and with `ftp:`.
 */
const bareAddress = new RegExp(
  `(?:(?:https?|ftp)://|(?<![\\p{L}\\p{N}])www\\.)${withinAddress}*(?:（${withinAddress}*）${withinAddress}*){0,9}[^\\s<>[\\]?!.,:;'")}（）${endSigns}]`,
  "giu",
);
/** What GFM may take for the rest of an address: all up to white space or a tag. The length keeps the search cheap. */
const restOfAddress = /[^\s<]{0,300}<?/y;
/** What ends an address, although GFM would go on: brackets around it, and {@link endSigns}. */
const earlyEnd = new RegExp(`[?!.,:;'")}]*(?:[>）${endSigns}]|(?<=${bracketEnd}))`, "y");

/** Escapes what would be read as inline markup. */
export function escapeText(text: string, context: EscapeContext): string {
  if (isPlain(text) && !context.goesOn) return text;
  if (context.inLink || !/:\/\/|www\./i.test(text)) return escapeSigns(text, 0, text.length, context);
  let escaped = "";
  let from = 0;
  for (const { address, index, end, runsOn } of addressesIn(text)) {
    const reach = endOfRest(text, end);
    const isRead = !runsOn && escapeSigns(text, index, reach, context) === text.slice(index, reach);
    if (isRead && !(context.goesOn && reach === text.length)) continue;
    escaped += escapeSigns(text, from, index, context);
    escaped += apart(address, escapeSigns(text, index, end, context), text[index - 1]);
    from = end;
  }
  return escaped + escapeSigns(text, from, text.length, context);
}

/**
 * An address that ends where it ended in the text: nothing is escaped within angle brackets. One without a scheme
 * cannot have them, and one within a word is no link; with an escaped sign, readers do not take it for an address.
 *
 * @param signs the address with its signs escaped
 */
export function apart(address: string, signs: string, before = ""): string {
  if (/^www/i.test(address)) return signs.replace(".", "\\.");
  if (/[a-z]/i.test(before)) return signs.replace(":", "\\:");
  return `${before === "\\" ? "\\" : ""}<${address}>`;
}

interface Address {
  readonly address: string;
  readonly index: number;
  readonly end: number;
  /** GFM would take what follows for a part of it. */
  readonly runsOn: boolean;
}

/** The addresses in a text, each with the bracket that closes one within it. */
export function* addressesIn(text: string): Generator<Address> {
  for (const { 0: found, index } of text.matchAll(bareAddress)) {
    const isOpen = text[index + found.length] === ")" && found.lastIndexOf("(") > found.lastIndexOf(")");
    const address = isOpen ? `${found})` : found;
    const end = index + address.length;
    earlyEnd.lastIndex = end;
    yield { address, index, end, runsOn: earlyEnd.test(text) };
  }
}

function endOfRest(text: string, end: number): number {
  restOfAddress.lastIndex = end;
  restOfAddress.test(text);
  return restOfAddress.lastIndex;
}

function escapeSigns(text: string, from: number, to: number, context: EscapeContext): string {
  let escaped = "";
  let written = from;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code > 126 || isSpecial[code] === 0) continue;
    const sign = text[at]!;
    let end = at + 1;
    if (sign === "*" || sign === "_" || sign === "~" || sign === "`") while (end < to && text[end] === sign) end++;
    const before = at > 0 ? text[at - 1]! : context.before;
    const after = end < text.length ? text[end]! : context.after;
    if (mustEscape(sign, before, after, text, at, end, context)) {
      // One piece for a run of signs and the text before it, because a page may consist of nothing but signs.
      escaped += `${text.slice(written, at)}${`\\${sign}`.repeat(end - at)}`;
      written = end;
    }
    at = end - 1;
  }
  return escaped + text.slice(written, to);
}

function mustEscape(
  sign: string,
  before: string,
  after: string,
  text: string,
  at: number,
  end: number,
  context: EscapeContext,
): boolean {
  switch (sign) {
    case "\\":
      return asciiPunctuation.test(after) || after === "\n" || after === "";
    case "`":
      return context.paired(sign);
    case "_":
      if (isWord(before) && isWord(after)) return false;
      return !(isSpace(before) && isSpace(after)) && context.paired(sign);
    case "*":
    case "~":
      return !(isSpace(before) && isSpace(after)) && context.paired(sign);
    case "[":
      return context.inLink || after === "^";
    case "]":
      return context.inLink || after === "(";
    case "<":
      // Marks may follow, which would be a part of the address.
      if (end === text.length) return !isSpace(after);
      mailAddress.lastIndex = end;
      return /[A-Za-z/!?]/.test(after) || mailAddress.test(text);
    case "&":
      entity.lastIndex = at;
      return entity.test(text);
    default:
      // "!"
      return end === text.length && context.linkFollows;
  }
}

/** Escapes what would turn a line into a heading, a quote, a list item, a rule, a fence or a definition. */
export function escapeLineStart(line: string): string {
  const code = line.charCodeAt(0);
  // Most lines begin with a letter.
  if (code > 126 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return line;
  if (/^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|~{3}|=+\s*$|([-_*])(?:[ \t]*\1){2,}[ \t]*$)/.test(line)) {
    return `\\${line}`;
  }
  if (/^[\s|:-]+$/.test(line) && line.includes("-")) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
