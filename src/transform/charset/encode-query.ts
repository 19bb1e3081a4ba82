// Encodes the queries of links as browsers do: in the encoding of the page, which is the one that its server expects.

import { maxUrlLength } from "../../contract/url.ts";
import { decodeAs } from "./decode-as.ts";

const beyondAscii = /[^\0-\x7f]/u;
/** Addresses of http and https, and those that are relative to one. */
const webAddress = /^\s*(?:https?:|(?![a-z][a-z0-9+.-]*:))/i;

/**
 * Returns a function that encodes what is not ASCII in the query of a link; undefined for pages in UTF-8, whose queries
 * URL parsers encode. What the encoding lacks becomes a character reference, as in browsers.
 *
 * @param encoding a name as returned by `TextDecoder`
 * @example
 * queryEncoder("shift_jis")?.("/search?q=猫"); // "/search?q=%94L"
 */
export function queryEncoder(encoding: string): ((reference: string) => string) | undefined {
  // ISO-2022-JP would need escapes between its characters.
  if (encoding.startsWith("utf-") || encoding === "iso-2022-jp") return undefined;
  return (reference) => {
    const query = reference.indexOf("?");
    if (query === -1 || reference.length > maxUrlLength) return reference;
    if (!beyondAscii.test(reference) || !webAddress.test(reference)) return reference;
    const hash = reference.indexOf("#");
    if (hash !== -1 && hash < query) return reference;
    const end = hash === -1 ? reference.length : hash;
    const codes = codesOf(encoding);
    const encoded = reference
      .slice(query, end)
      .replace(/[^\0-\x7f]/gu, (character) => codes.get(character) ?? `%26%23${character.codePointAt(0)}%3B`);
    return reference.slice(0, query) + encoded + reference.slice(end);
  };
}

const known = new Map<string, ReadonlyMap<string, string>>();

/** The escaped bytes of all characters of an encoding. */
function codesOf(encoding: string): ReadonlyMap<string, string> {
  const present = known.get(encoding);
  if (present !== undefined) return present;
  const codes = new Map<string, string>();
  for (const bytes of codesIn(encoding)) add(codes, encoding, bytes);
  known.set(encoding, codes);
  return codes;
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** By encoding, the first bytes of pairs that are written; others are only read. */
const leads: Readonly<Record<string, readonly number[]>> = {
  big5: range(0xa1, 0xf9),
  "euc-jp": range(0x8e, 0xfe),
  "euc-kr": range(0x81, 0xfe),
  gb18030: range(0x81, 0xfe),
  gbk: range(0x81, 0xfe),
  // The characters of 0xed and 0xee are written with other codes.
  shift_jis: [...range(0x81, 0x9f), ...range(0xe0, 0xec), ...range(0xfa, 0xfc)],
};

/** Rows of codes: the single bytes, then the pairs that begin with the same byte. */
function* codesIn(encoding: string): Generator<number[][]> {
  yield range(0x80, 0xff).map((byte) => [byte]);
  for (const lead of leads[encoding] ?? []) yield range(0x40, 0xfe).map((trail) => [lead, trail]);
}

/** Decodes a row at once, which takes a hundredth of the time. Of several codes of a character, the first is written. */
function add(codes: Map<string, string>, encoding: string, row: readonly (readonly number[])[]): void {
  const line = 0x0a;
  const texts = decodeAs(encoding, Uint8Array.from(row.flatMap((bytes) => [...bytes, line]))).split("\n");
  for (const [index, bytes] of row.entries()) {
    const text = texts[index]!;
    if ([...text].length !== 1 || text === "\ufffd" || codes.has(text)) continue;
    codes.set(text, bytes.map((byte) => (isUnreserved(byte) ? String.fromCharCode(byte) : escapeOf(byte))).join(""));
  }
}

const isUnreserved = (byte: number): boolean => byte < 0x80 && /[\w.~-]/.test(String.fromCharCode(byte));
const escapeOf = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
