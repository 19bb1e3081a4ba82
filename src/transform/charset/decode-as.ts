/** Decodes bytes of a known encoding, also where the platform's decoders do not follow the web's encoding standard. */

import { asBuffer } from "../../shared/as-buffer.ts";
import { decodeBig5 } from "./big5.ts";
import { decodeKorean } from "./korean.ts";

/** Shared, because it keeps no state between texts, and creating one takes as long as decoding a small page. */
const utf8 = new TextDecoder("utf-8");
/** In the middle of a text, a byte-order mark is a character. */
const utf8WithMark = new TextDecoder("utf-8", { ignoreBOM: true });

/** `encoding` is a name as returned by `TextDecoder`: lower case, as in the standard. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding === "utf-8") return utf8.decode(bytes);
  if (encoding === "windows-1252") return decodeWindows1252(bytes);
  if (encoding === "big5") return decodeBig5(bytes);
  if (encoding === "euc-kr") return decodeKorean(bytes);
  // The standard decodes GBK with the decoder of its superset.
  return new TextDecoder(encoding === "gbk" ? "gb18030" : encoding).decode(bytes);
}

/** A part of a text in UTF-8 that begins and ends between two characters. */
export function decodePart(bytes: Uint8Array, isFirst: boolean): string {
  return (isFirst ? utf8 : utf8WithMark).decode(bytes);
}

/** The characters for the bytes 0x80 to 0x9f; five of them are the control character with the same number. */
const quotesAndOthers = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Some Node versions decode windows-1252 as ISO-8859-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  const text = asBuffer(bytes).toString("latin1");
  return text.replace(/[\x80-\x9f]/g, (character) => quotesAndOthers[character.charCodeAt(0) - 0x80]!);
}
