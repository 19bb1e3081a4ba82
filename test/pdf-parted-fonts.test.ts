// Older TeX parts a Korean font to hundreds of fonts with a few letters each, all of them of one width.
import { expect, test } from "vitest";
import type { Fragment } from "../src/transform/pdf/fragments.ts";
import { withoutWideFonts } from "../src/transform/pdf/wide-fonts.ts";

const letters = [..."가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허"];
const fonts = new Map([
  ["code", { isBold: false, isMonospace: true }],
  ...letters.map((letter) => [letter, { isBold: false, isMonospace: true }] as const),
]);

function line(...pieces: { text: string; fontName: string }[]): Fragment {
  return { pieces, left: 0, right: 100, y: 0, fontSize: 10, fontName: pieces[0]!.fontName };
}

const text = (some: readonly string[]) => some.map((letter) => ({ text: letter, fontName: letter }));

test("a letter that stands on a line of code is in no font of code when most of the letters are not", () => {
  const read = withoutWideFonts(fonts, [
    line({ text: "README", fontName: "code" }, ...text(letters.slice(0, 3))),
    line(...text(letters.slice(3))),
  ]);
  expect(letters.filter((letter) => read.get(letter)!.isMonospace)).toEqual([]);
  expect(read.get("code")!.isMonospace).toBe(true);
});

test("a few fonts are judged one by one", () => {
  const few = new Map([...fonts].slice(0, 3));
  const read = withoutWideFonts(few, [
    line({ text: "README", fontName: "code" }, ...text(["가"])),
    line(...text(["나"])),
  ]);
  expect(["가", "나"].map((letter) => read.get(letter)!.isMonospace)).toEqual([true, false]);
});
