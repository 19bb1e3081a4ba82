import { expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** A line whose font names these characters, from left to right. */
async function markdownOf(drawn: string): Promise<string> {
  const codes = [...new Set(drawn.replaceAll(" ", ""))];
  const text = [...drawn].map((letter) => (letter === " " ? " " : String.fromCharCode(0x41 + codes.indexOf(letter))));
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R>>"),
    stream(`BT /F1 12 Tf 1 0 0 1 72 720 Tm (${text.join("")}) Tj ET`),
    ...letterFont(codes.join(""), 6),
  ]);
  return (await readPdf(file)).markdown;
}

it.each([
  ["a browser prints the radical that looks like the character", "⽇本⼈⼝", "日本人口"],
  ["nor does Unicode tell the character for every radical", "⻑⾕の⻄⼭", "長谷の西山"],
  ["the sign at a control character's place in a symbol font begins an item", "\u0088 cedar", "- cedar"],
  ["ligatures are letters", "oﬃce ﬁle", "office file"],
  ["one shape is two Arabic letters", "\ufefc\ufee3 \ufc86\ufecb", "على ملا"],
  ["one shape is a Hebrew letter with its sign", "\u05dd\u05d5\u05dc\ufb2a", "\u05e9\u05c1לום"],
  ["shapes of Hebrew letters stand side by side", "\u05dd\ufb4b\ufb2a", "\u05e9\u05c1\u05d5\u05b9ם"],
])("%s", async (_, drawn, text) => {
  expect(await markdownOf(drawn)).toBe(text.normalize("NFKC"));
});
