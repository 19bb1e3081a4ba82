/** Decodes bytes of a known encoding, where the platform's decoders fall short of the web's encoding standard too. */

import { decodeKorean } from "./korean.ts";

/** Keeps nothing between two texts. Making one costs as much as decoding a small page. */
const utf8 = new TextDecoder("utf-8");

/** `encoding` is a name that `TextDecoder` gives: lower case, as in the standard. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding === "utf-8") return utf8.decode(bytes);
  if (encoding === "windows-1252") return decodeWindows1252(bytes);
  if (encoding === "euc-kr") return decodeKorean(bytes);
  // The decoder that the standard names for GBK is that of its superset.
  return new TextDecoder(encoding === "gbk" ? "gb18030" : encoding).decode(bytes);
}

/** What the bytes 0x80 to 0x9f stand for; five of them stand for the control character of the same number. */
const quotesAndOthers = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Some Node versions take windows-1252 for ISO-8859-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replace(/[\x80-\x9f]/g, (character) => quotesAndOthers[character.charCodeAt(0) - 0x80]!);
}
