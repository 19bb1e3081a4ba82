/** Decodes the bytes of a body: determines the character encoding as browsers do. */

import { isUtf8 } from "node:buffer";
import { asBuffer } from "../../shared/as-buffer.ts";
import { charsetOfHeader, charsetOfMarkup } from "./declared.ts";
import { decodeAs, decodePart } from "./decode-as.ts";
import { guessCharset } from "./guess.ts";

/**
 * The text of a body.
 *
 * The encoding is determined by the byte-order mark, else the header, else a `<meta>` or XML declaration, else the
 * bytes themselves; what is plainly UTF-8 is read as such, whatever else is declared. Bytes that are no character of it
 * become U+FFFD; byte-order mark and NUL characters are left out. `rendered` says that a browser made the body, which is
 * then UTF-8 whatever it declares.
 *
 * @example
 * decodeBody(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), "text/html; charset=iso-8859-1"); // "café"
 */
export function decodeBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  rendered = false,
  encoding = encodingOfBody(bytes, contentType, rendered),
): string {
  if (bytes.length === 0) return "";
  const text = decodeAs(encoding, bytes);
  // Neither markdown nor every database can contain U+0000. In every encoding it has a zero byte.
  return asBuffer(bytes).includes(0) && text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/**
 * {@link decodeBody} for a page of UTF-8, in pieces, of which each is decoded when it is asked for.
 *
 * V8 takes memory of its own from the system for a text of more than 128 KB, and gives it back: that, and touching it for
 * the first time, can take longer than to decode the text.
 */
export function* decodeInPieces(bytes: Uint8Array): Generator<string> {
  const hasNul = asBuffer(bytes).includes(0);
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = endOfPiece(bytes, start + bytesOfPiece);
    const text = decodePart(bytes.subarray(start, end), start === 0);
    yield hasNul ? text.replaceAll("\0", "") : text;
  }
}

const bytesOfPiece = 16 * 1024;

/** The first place at or before `most` where no character is cut in two. */
function endOfPiece(bytes: Uint8Array, most: number): number {
  if (most >= bytes.length) return bytes.length;
  for (let end = most; end > most - 4; end--) if ((bytes[end]! & 0xc0) !== 0x80) return end;
  // Not UTF-8: none of these bytes is part of a character.
  return most;
}

/** The name of the encoding by which {@link decodeBody} decodes a body, as returned by `TextDecoder`. */
export function encodingOfBody(bytes: Uint8Array, contentType: string | undefined, rendered = false): string {
  const marked = byteOrderMark(bytes);
  if (marked !== undefined) return marked;
  if (rendered) return "utf-8";
  const wide = utf16WithoutMark(bytes) ?? utf16ByHeader(bytes, contentType);
  if (wide !== undefined) return wide;

  const isWhole = isUtf8(bytes);
  const byHeader = encodingNamed(charsetOfHeader(contentType));
  if (isWhole && byHeader === "utf-8") return byHeader;

  const declared = [byHeader, encodingNamed(charsetOfMarkup(bytes))];
  const saysUtf8 = declared.includes("utf-8");
  const other = declared.find((encoding) => encoding !== undefined && encoding !== "utf-8");
  if (isWhole && !saysUtf8 && other === undefined && hasJapaneseEscapes(bytes)) return "iso-2022-jp";
  if (isWhole) return saysUtf8 || other === undefined || showsUtf8(bytes, other) ? "utf-8" : other;
  const { whole, broken } = charactersOf(bytes);
  const isMostly = whole > broken * 4;
  // A few broken bytes say nothing about their encoding.
  if (saysUtf8 && (isMostly || (other === undefined && (broken < fewestBroken || whole > broken)))) return "utf-8";
  return other ?? (isMostly ? "utf-8" : guessCharset(bytes));
}

/** A text that is called UTF-8 and has so many bytes that are no part of it is in another encoding. */
const fewestBroken = 20;

/** Japanese by escapes, which begin and end each run of it, consists of ASCII bytes. */
function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  const text = asBuffer(bytes);
  const start = Math.max(text.indexOf("\x1b$B"), text.indexOf("\x1b$@"));
  return start >= 0 && Math.max(text.indexOf("\x1b(B", start), text.indexOf("\x1b(J", start)) >= 0;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** UTF-16 is recognised by its NUL bytes: markup is mostly ASCII, so every other byte is NUL. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, 512) & ~1;
  if (length < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const many = length * 0.2;
  if (odd > many && even * 10 < odd) return "utf-16le";
  if (even > many && odd * 10 < even) return "utf-16be";
  return undefined;
}

/**
 * Text with few Latin letters cannot be recognised as UTF-16 that way, but it has NUL bytes in its spaces, which no
 * other text has.
 */
function utf16ByHeader(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const label = charsetOfHeader(contentType)?.toLowerCase();
  if (!label?.startsWith("utf-16") || !asBuffer(bytes).includes(0)) return undefined;
  return label === "utf-16be" ? "utf-16be" : "utf-16le";
}

/** The standard name of an encoding; `undefined` for an unknown label. */
function encodingNamed(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  // This is nearly always the case; creating a decoder to ask for its name costs more.
  if (label === "utf-8" || label === "UTF-8") return "utf-8";
  if (label.toLowerCase() === "x-user-defined") return "windows-1252";
  try {
    const { encoding } = new TextDecoder(label);
    // Text whose bytes do not look like UTF-16 is not, whatever is declared.
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  } catch {
    return undefined;
  }
}

/** With fewer characters beyond ASCII, a text in another encoding may happen to be UTF-8. */
const fewestCharacters = 3;

/** In these, words may happen to be UTF-8 of two bytes a character. Theirs have three there. */
const ofTwoBytes: ReadonlySet<string> = new Set(["gbk", "gb18030", "big5", "euc-kr", "euc-jp", "shift_jis"]);

/** Whether bytes that are valid UTF-8 are meant to be, although another encoding is declared. */
function showsUtf8(bytes: Uint8Array, declared: string): boolean {
  const least = ofTwoBytes.has(declared) ? 0xe0 : 0xc2;
  let characters = 0;
  for (const byte of bytes) if (byte >= least && ++characters === fewestCharacters) return true;
  return false;
}

/**
 * Counts the characters beyond ASCII that a text has as UTF-8, and the bytes that are part of none. UTF-8 may have a few of
 * these, such as a text cut in the middle of a character.
 */
function charactersOf(bytes: Uint8Array): { whole: number; broken: number } {
  let whole = 0;
  let broken = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    let seen = 0;
    while (seen < more && (bytes[at + 1]! & 0xc0) === 0x80) {
      at++;
      seen++;
    }
    if (more > 0 && seen === more) whole++;
    else broken++;
  }
  return { whole, broken };
}
