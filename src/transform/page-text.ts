// The text of a body. A page of HTML in UTF-8 is decoded piece by piece while it is parsed.

import { isAscii } from "node:buffer";
import { decodeBody, decodeInPieces, encodingOfBody } from "./charset/decode.ts";
import { repairEncoding } from "./charset/repair.ts";
import type { TransformInput } from "./transform-shapes.ts";

export class PageText {
  /** The encoding of the page, as returned by `TextDecoder`. */
  readonly encoding: string;
  readonly #input: TransformInput;
  /** Unless it is decoded piece by piece. */
  readonly #whole: string | undefined;

  constructor(input: TransformInput) {
    const { body, contentType, rendered } = input;
    this.#input = input;
    this.encoding = encodingOfBody(body, contentType, rendered);
    if (this.encoding === "utf-8" && (isAscii(body) || isBeyondLatin(body))) return;
    const decoded = this.whole();
    this.#whole = repairEncoding(decoded);
    if (this.#whole !== decoded) this.encoding = "utf-8";
  }

  /** For the parser, as often as it is asked for. */
  html(): string | Iterable<string> {
    return this.#whole ?? decodeInPieces(this.#input.body);
  }

  whole(): string {
    const { body, contentType, rendered } = this.#input;
    return this.#whole ?? decodeBody(body, contentType, rendered, this.encoding);
  }
}

/** Whether a text in UTF-8 has, after a byte-order mark, characters that no page has whose encoding is repaired. */
function isBeyondLatin(bytes: Uint8Array): boolean {
  for (const byte of bytes.subarray(bytesOfMark)) if (byte >= firstBeyondLatin) return true;
  return false;
}

const bytesOfMark = 3;
/** With this byte begins U+0100 in UTF-8. */
const firstBeyondLatin = 0xc4;
