/**
 * Maps the glyph numbers of Adobe's Chinese, Japanese and Korean collections to characters.
 *
 * The collections follow the national standards in long runs, and the platform's decoders know these, so a few numbers
 * for each run are enough. Glyphs outside of the standards (rare characters, variants) are not mapped.
 */

import { decodeAs } from "../charset/decode-as.ts";

interface Collection {
  readonly encoding: string;
  /** Each `first glyph, first code in hexadecimal, length`; codes count on through the cells of the standard. */
  readonly runs: string;
  /** The same for the forms of punctuation in vertical lines. */
  readonly upright: string;
  /** The glyph numbers of printable ASCII characters, in proportional and in half width. */
  readonly ascii: readonly number[];
}

/** Numbers from the character map files that Adobe publishes for the collections. */
const collections: Readonly<Record<string, Collection>> = {
  GB1: {
    encoding: "gbk",
    ascii: [1, 813],
    runs: `96 a1a1 94, 190 a2b1 50, 240 a2e5 10, 250 a2f1 12, 262 a3a1 177, 439 a5a1 86, 525 a6a1 24, 602 a7a1 33,
      635 a7d1 33, 668 a8a1 32, 700 a8c5 37, 738 a9a4 76, 940 b0a1 3755, 4695 d8a1 3008`,
    upright: `575 a1a2 1, 574 a1a3 1, 598 a1aa 1, 7704 a1ab 2, 599 a1ad 1, 582 a1b2 14, 7706 a1fe 1, 578 a3a1 1,
      580 a3a8 2, 573 a3ac 1, 7707 a3ae 1, 576 a3ba 2, 7708 a3bd 1, 579 a3bf 1, 7709 a3db 1, 7710 a3dd 1,
      600 a3df 1, 596 a3fb 1, 597 a3fd 1, 7711 a3fe 1`,
  },
  CNS1: {
    encoding: "big5",
    ascii: [1, 13648],
    runs: `99 a140 25, 128 a15d 119, 248 a1f6 1, 247 a1f7 1, 249 a1f8 254, 595 a440 1412, 2431 acfe 1, 2007 ad40 424,
      2432 afd0 1876, 4309 bbc8 387, 4308 be52 1, 4696 be53 525, 5222 c1ab 189, 5221 c2cb 1, 5411 c2cc 84, 5496 c361 54,
      5551 c3b9 1, 5550 c3ba 1, 5552 c3bb 90, 5495 c456 1, 5642 c457 354, 5996 c940 10, 6006 c94b 33,
      6040 c96c 48, 6039 c9be 1, 6088 c9bf 46, 6135 c9ed 167, 6134 caf7 1, 6302 caf8 1840, 8788 d6cc 1, 8143 d6cd 108,
      8889 d77a 1, 8251 d77b 537, 8142 dadf 1, 8789 dae0 100, 8890 dba7 399, 9089 ddfc 1, 9289 ddfd 1637, 10927 e8a3 146,
      11074 e976 287, 11362 eb5b 116, 10926 ebf1 1, 11478 ebf2 137, 11073 ecde 1, 11615 ecdf 104, 11720 edaa 222,
      12308 eeeb 1, 11942 eeec 198, 11719 f056 1, 12140 f057 82, 11361 f0cb 1, 12222 f0cc 86, 12309 f163 8, 12640 f16b 1,
      12317 f16c 153, 12783 f268 1, 12470 f269 56, 12527 f2c3 113, 12641 f375 142, 12784 f466 45, 12526 f4b5 1,
      12829 f4b6 71, 12901 f4fd 194, 12900 f663 1, 13095 f664 490, 13586 f977 43, 13585 f9c4 1, 13629 f9c5 1,
      13641 f9c6 1, 13630 f9c7 11, 13642 f9d2 4`,
    upright: `13646 a14b 1, 13647 a1e3 1`,
  },
  Japan1: {
    encoding: "euc-jp",
    ascii: [1, 231],
    runs: `633 a1a1 108, 741 a2ba 8, 749 a2ca 7, 756 a2dc 15, 771 a2f2 8, 779 a2fe 1, 780 a3b0 10, 790 a3c1 26,
      816 a3e1 26, 842 a4a1 83, 925 a5a1 86, 1011 a6a1 24, 1035 a6c1 24, 1059 a7a1 33, 1092 a7d1 33, 327 8ea1 63,
      1125 b0a1 2965, 4090 d0a1 3388, 8284 f4a5 2`,
    upright: `7887 a1a2 2, 7889 a1b1 2, 7891 a1bc 3, 7894 a1c1 5, 7899 a1ca 18, 7917 a1e1 1, 7918 a4a1 1, 7919 a4a3 1,
      7920 a4a5 1, 7921 a4a7 1, 7922 a4a9 1, 7923 a4c3 1, 7924 a4e3 1, 7925 a4e5 1, 7926 a4e7 1, 7927 a4ee 1,
      7928 a5a1 1, 7929 a5a3 1, 7930 a5a5 1, 7931 a5a7 1, 7932 a5a9 1, 7933 a5c3 1, 7934 a5e3 1, 7935 a5e5 1,
      7936 a5e7 1, 7937 a5ee 1, 7938 a5f5 2`,
  },
  Korea1: {
    encoding: "euc-kr",
    ascii: [1, 8094],
    runs: `101 a1a1 163, 264 a3a1 145, 409 a4d5 52, 461 a5b0 10, 471 a5c1 24, 495 a5e1 24, 519 a6a1 68, 587 a7a1 79,
      666 a8a1 4, 670 a8a6 1, 671 a8a8 8, 679 a8b1 255, 934 aba1 86, 1020 aca1 33, 1053 acd1 33, 1086 b0a1 2350,
      3436 caa1 4620`,
    upright: `8056 a1a2 2, 8058 a1a5 1, 8320 a1a6 1, 8059 a1a9 3, 8062 a1ad 1, 8063 a1b2 12, 8075 a1eb 1, 8076 a3a1 1,
      8077 a3a8 2, 8079 a3ac 1, 8080 a3ae 1, 8081 a3ba 6, 8087 a3db 1, 8088 a3dd 1, 8089 a3df 1, 8090 a3fb 4`,
  },
};

/** From here on, the Korean collection has the syllables that the standard lacks, in Unicode order. */
const otherSyllables = 9333;

/** Characters by glyph number; `undefined` for an unknown collection. */
export function glyphCharacters(ordering: string): Map<number, string> | undefined {
  if (!Object.hasOwn(collections, ordering)) return undefined;
  const { encoding, runs, upright, ascii } = collections[ordering]!;
  const characters = new Map<number, string>();
  for (const first of ascii) {
    for (let code = 0x20; code < 0x7f; code++) characters.set(first + code - 0x20, String.fromCharCode(code));
  }
  for (const run of `${runs}, ${upright}`.split(",")) {
    const [glyph, code, length] = run.trim().split(" ");
    addRun(characters, Number(glyph), cells(encoding, Number.parseInt(code!, 16)), Number(length));
  }
  if (ordering === "Korea1") addRun(characters, otherSyllables, syllablesBut(new Set(characters.values())), 8822);
  return characters;
}

function addRun(characters: Map<number, string>, first: number, source: Iterable<string>, length: number): void {
  let glyph = first;
  for (const character of source) {
    if (glyph === first + length) break;
    if (character !== "") characters.set(glyph, character);
    glyph++;
  }
}

/** The characters from a code on; an empty string for an unassigned cell of the standard. */
function* cells(encoding: string, start: number): Generator<string> {
  const trails = encoding === "big5" ? [...range(0x40, 0x7e), ...range(0xa1, 0xfe)] : range(0xa1, 0xfe);
  let at = trails.indexOf(start & 0xff);
  for (let lead = start >> 8; lead <= 0xfe; lead++, at = 0) {
    const codes = trails.slice(at).flatMap((trail) => [lead, trail, 0x0a]);
    const row = decodeAs(encoding, Uint8Array.from(codes)).split("\n");
    for (const character of row.slice(0, -1)) {
      // A character with several readings has several cells in the Korean standard, and one glyph.
      if (/[\uf900-\ufa0b]/.test(character)) continue;
      yield character.length === 1 && character !== "\ufffd" ? character : "";
    }
  }
}

function* syllablesBut(known: ReadonlySet<string>): Generator<string> {
  for (const code of range(0xac00, 0xd7a3)) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) yield syllable;
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
