/**
 * The character maps that PDF files with Chinese, Japanese and Korean text name without holding them.
 *
 * pdf.js wants Adobe's collections for them, some megabytes of data. For reading text it is enough to know which
 * character a code stands for, and the platform's decoders know that. So the maps made here take the characters' own
 * numbers for the numbers of glyphs. A file that names none of these maps has the glyphs' real numbers (`glyph-collections`).
 */

import { decodeAs } from "../charset/decode-as.ts";
import { glyphCharacters } from "./glyph-collections.ts";

interface CodedMap {
  readonly name: RegExp;
  readonly encoding: string;
  readonly leads: readonly [number, number];
  readonly trails: readonly [number, number];
  /** Added to both bytes of a code to have the encoding's bytes. */
  readonly shift?: number;
}

/** The maps over the old encodings, by their names. */
const codedMaps: readonly CodedMap[] = [
  { name: /^GB/, encoding: "gbk", leads: [0x81, 0xfe], trails: [0x40, 0xfe] },
  { name: /B5-[HV]$/, encoding: "big5", leads: [0x81, 0xfe], trails: [0x40, 0xfe] },
  { name: /RKSJ/, encoding: "shift_jis", leads: [0x81, 0xfc], trails: [0x40, 0xfc] },
  { name: /^EUC-/, encoding: "euc-jp", leads: [0x8e, 0xfe], trails: [0xa1, 0xfe] },
  { name: /^[HV]$/, encoding: "euc-jp", leads: [0x21, 0x7e], trails: [0x21, 0x7e], shift: 0x80 },
  { name: /^KSC/, encoding: "euc-kr", leads: [0x81, 0xfe], trails: [0x41, 0xfe] },
];

/** Stands in for the part of pdf.js that fetches data files; one for each document. */
export class CharacterMaps {
  /** Glyph numbers are made up only in files in which a map of ours makes them. */
  #isInUse = false;

  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === "cMapUrl" ? this.#map(filename) : undefined;
    if (map === undefined) throw new Error(`No data for ${filename}.`);
    const direction = filename.endsWith("V") ? "/WMode 1 def\n" : "";
    return new Uint8Array(Buffer.from(`begincmap\n${direction}${map}\nendcmap\n`));
  }

  #map(name: string): string | undefined {
    const wide = section("codespacerange", ["<0000> <ffff>"]);
    const ordering = /^Adobe-(\w+)-UCS2$/.exec(name)?.[1];
    if (ordering !== undefined) {
      if (this.#isInUse) return wide + section("bfrange", ["<0000> <ffff> <0000>"]);
      const characters = glyphCharacters(ordering);
      return characters && wide + glyphMap(characters);
    }
    const coded = codedMaps.find((map) => map.name.test(name));
    const isUnicode = /^Uni\w+-(?:UCS2|UTF16)-/.test(name);
    this.#isInUse ||= isUnicode || coded !== undefined;
    return isUnicode ? wide + section("cidrange", ["<0000> <ffff> 0"]) : coded && codedMap(coded);
  }
}

/** More glyphs than any collection has. */
const mostGlyphs = 0x7800;

/** A glyph that is not known would be taken for the character of its number. */
function glyphMap(characters: ReadonlyMap<number, string>): string {
  const entries = Array.from({ length: mostGlyphs }, (_, glyph) => {
    const code = (characters.get(glyph) ?? "\ufffd").charCodeAt(0);
    return `<${wideHex(glyph)}> <${wideHex(code)}>`;
  });
  return section("bfchar", entries);
}

function codedMap({ encoding, leads, trails, shift = 0 }: CodedMap): string {
  const codes: number[] = [];
  // Single bytes: ASCII, and the half-width katakana of Shift_JIS.
  for (let byte = 0x20; shift === 0 && byte < 0xe0; byte++) codes.push(byte);
  for (let lead = leads[0]; lead <= leads[1]; lead++) {
    for (let trail = trails[0]; trail <= trails[1]; trail++) codes.push((lead << 8) | trail);
  }
  const line = 0x0a;
  const bytes = codes.flatMap((code) =>
    code < 0x100 ? [code, line] : [(code >> 8) + shift, (code & 0xff) + shift, line],
  );
  const characters = decodeAs(encoding, Uint8Array.from(bytes)).split("\n");
  const entries = codes.flatMap((code, index) => {
    const character = characters[index]!;
    const isOne = character.length === 1 && character !== "\ufffd";
    return isOne ? [`<${hex(code)}> ${character.charCodeAt(0)}`] : [];
  });
  const single = encoding === "shift_jis" ? ["<00> <80>", "<a0> <df>"] : ["<00> <80>"];
  const double = `<${hex((leads[0] << 8) | trails[0])}> <${hex((leads[1] << 8) | trails[1])}>`;
  return section("codespacerange", [...(shift === 0 ? single : []), double]) + section("cidchar", entries);
}

function hex(code: number): string {
  return code < 0x100 ? code.toString(16).padStart(2, "0") : wideHex(code);
}

function wideHex(code: number): string {
  return code.toString(16).padStart(4, "0");
}

function section(name: string, entries: readonly string[]): string {
  return `${entries.length} begin${name}\n${entries.join("\n")}\nend${name}\n`;
}
