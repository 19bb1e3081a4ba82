/**
 * Guesses the encoding of text that declares none and is not UTF-8.
 *
 * Double-byte encodings are recognised by their structure: nearly every byte above ASCII starts or ends a pair that is
 * an everyday character of the encoding. Single-byte encodings are recognised by the most frequent letters of their
 * languages.
 */

import { decodeAs } from "./decode-as.ts";
import { latinScripts, otherScripts, type Writing } from "./writings.ts";

/** How much of a text is examined; the rest is similar. */
const sampleSize = 65_536;

interface DoubleByte {
  readonly encoding: string;
  /** True for a byte that starts a pair. */
  readonly lead: (byte: number) => boolean;
  readonly trail: (byte: number) => boolean;
  /** True for the pairs that make up everyday text. */
  readonly common: (lead: number, trail: number) => boolean;
  /** The share of common pairs from which on the encoding is assumed. */
  readonly enough: number;
}

const between = (low: number, high: number) => (byte: number) => byte >= low && byte <= high;
const extendedTrail = (byte: number) => byte >= 0x40 && byte <= 0xfe && byte !== 0x7f;
const highTrail = between(0xa1, 0xfe);

/** The first that reaches its share wins, so specific encodings come before general ones. */
const doubleByte: readonly DoubleByte[] = [
  {
    // Kana are a third or more of Japanese text.
    encoding: "euc-jp",
    lead: between(0x8e, 0xfe),
    trail: highTrail,
    common: (lead, trail) => (lead === 0xa4 || lead === 0xa5) && trail <= 0xf6,
    enough: 0.25,
  },
  {
    encoding: "shift_jis",
    lead: (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
    trail: extendedTrail,
    common: (lead, trail) => (lead === 0x82 && trail >= 0x9f) || (lead === 0x83 && trail <= 0x96),
    enough: 0.25,
  },
  {
    // The Hangul syllables; Chinese in GBK uses the lead bytes above them just as often.
    encoding: "euc-kr",
    lead: between(0x81, 0xfe),
    trail: highTrail,
    common: (lead, trail) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1,
    enough: 0.85,
  },
  {
    encoding: "big5",
    lead: between(0x81, 0xfe),
    trail: (byte) => (byte >= 0x40 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xfe),
    common: (lead) => lead >= 0xa1 && lead <= 0xc6,
    enough: 0.85,
  },
  {
    encoding: "gbk",
    lead: between(0x81, 0xfe),
    trail: extendedTrail,
    common: (lead, trail) => lead >= 0xa1 && lead <= 0xd7 && trail >= 0xa1,
    enough: 0.4,
  },
];

/** The most likely encoding of the bytes; `windows-1252` if nothing suggests another. */
export function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, sampleSize);
  const counts = countHighBytes(sample);
  // Words of Latin letters have few bytes above ASCII and seldom two in a row.
  if (counts.adjacent < counts.total * 0.4) return likeliest(latinScripts, counts).encoding;
  const single = likeliest(otherScripts, counts);
  if (single.score > counts.total * 0.5) return single.encoding;
  const double = doubleByte.find((candidate) => isDoubleByte(sample, candidate));
  if (double !== undefined) return double.encoding;
  // If most of them are in sequences, only the frequent letters count, however few there are.
  const wholeWords = counts.adjacent > counts.total * 0.6;
  return wholeWords ? single.encoding : likeliest([...latinScripts, ...otherScripts], counts).encoding;
}

/** A no-break space in nearly all encodings, and often repeated; a letter in one. */
const noBreakSpace = 0xa0;
const space = 0x20;

interface HighBytes {
  readonly byByte: Uint32Array;
  readonly total: number;
  /** How many of them follow another. */
  readonly adjacent: number;
}

function countHighBytes(sample: Uint8Array): HighBytes {
  const byByte = new Uint32Array(256);
  let adjacent = 0;
  let total = 0;
  let previous = 0;
  for (const written of sample) {
    const byte = written === noBreakSpace ? space : written;
    if (byte >= 0x80) {
      byByte[byte]!++;
      total++;
      if (previous >= 0x80) adjacent++;
    }
    previous = byte;
  }
  return { byByte, total, adjacent };
}

function likeliest(writings: readonly Writing[], counts: HighBytes): { encoding: string; score: number } {
  let best = { encoding: "windows-1252", score: -1 };
  for (const [encoding, letters] of writings) {
    let score = 0;
    upperHalf(encoding).forEach((letter, index) => {
      if (letters.includes(letter)) score += counts.byByte[index + 0x80]!;
    });
    if (score > best.score) best = { encoding, score };
  }
  return best;
}

const upperHalves = new Map<string, readonly string[]>();

/** The characters for the bytes 0x80 to 0xff. */
function upperHalf(encoding: string): readonly string[] {
  const known = upperHalves.get(encoding);
  if (known !== undefined) return known;
  const bytes = Uint8Array.from({ length: 128 }, (_, index) => index + 0x80);
  const half = [...decodeAs(encoding, bytes)];
  upperHalves.set(encoding, half);
  return half;
}

function isDoubleByte(sample: Uint8Array, { lead, trail, common, enough }: DoubleByte): boolean {
  let pairs = 0;
  let commonPairs = 0;
  let broken = 0;
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]!;
    if (byte < 0x80) continue;
    const next = sample[at + 1];
    if (next === undefined) break;
    if (!lead(byte)) broken++;
    else if (!trail(next)) broken++;
    else {
      pairs++;
      if (common(byte, next)) commonPairs++;
      at++;
    }
  }
  return broken * 50 <= pairs && commonPairs >= pairs * enough;
}
