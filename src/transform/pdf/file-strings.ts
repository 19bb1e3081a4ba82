/** Reads strings as PDF files write them: in brackets with escapes, or in hexadecimal digits. */

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The characters of PDF's own encoding that Latin-1 does not have, from 0x80 on. */
const ownCharacters = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž";

interface FileString {
  /** `undefined` if there is none, or it is too long. */
  readonly text: string | undefined;
  /** How far the file was read. */
  readonly end: number;
}

/** Reads the string that comes next in `file`, whose characters are bytes; up to `most` of these. */
export function readString(file: string, from: number, most: number): FileString {
  const part = file.slice(from, from + most);
  const space = /^\s{0,9}/.exec(part)![0].length;
  const { bytes, length } = part[space] === "(" ? bytesInBrackets(part.slice(space)) : bytesOfDigits(part.slice(space));
  return {
    text: bytes === undefined ? undefined : textOfBytes(Buffer.from(bytes, "latin1")),
    end: from + space + length,
  };
}

interface Bytes {
  readonly bytes: string | undefined;
  readonly length: number;
}

function bytesOfDigits(part: string): Bytes {
  const found = /^<([\da-f\s]*)>/i.exec(part);
  if (found === null) return { bytes: undefined, length: 0 };
  const digits = found[1]!.replace(/\s+/g, "");
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex").toString("latin1");
  return { bytes, length: found[0].length };
}

function bytesInBrackets(part: string): Bytes {
  let bytes = "";
  let depth = 0;
  for (let at = 0; at < part.length; at++) {
    const character = part[at]!;
    if (character === "\\") {
      const octal = /^[0-7]{1,3}/.exec(part.slice(at + 1, at + 4))?.[0];
      const next = part[at + 1] ?? "";
      if (octal !== undefined) bytes += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      else if (next === "\r" && part[at + 2] === "\n") at++;
      else if (next !== "\n" && next !== "\r") bytes += escapes[next] ?? next;
      at += octal?.length ?? 1;
      continue;
    }
    if (character === ")" && --depth === 0) return { bytes: bytes.slice(1), length: at + 1 };
    if (character === "(") depth++;
    bytes += character;
  }
  return { bytes: undefined, length: part.length };
}

function textOfBytes(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  return bytes
    .toString("latin1")
    .replace(/[\x80-\x9e]/g, (character) => ownCharacters[character.charCodeAt(0) - 0x80]!);
}
