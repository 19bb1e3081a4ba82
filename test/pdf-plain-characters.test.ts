import { expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

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

it("signs of ZapfDingbats are signs, though the file does not tell what its codes mean", async () => {
  const lines = ["/F2 12 Tf (n) Tj /F1 12 Tf ( Fjord) Tj", "/F2 12 Tf (n) Tj /F1 12 Tf ( Lagoon) Tj"];
  const drawn = [...lines, "(Meadow ) Tj /F2 12 Tf (8 \\254 \\325) Tj"].map(
    (line, index) => `1 0 0 1 72 ${720 - index * 40} Tm /F1 12 Tf ${line}`,
  );
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R/F2 6 0 R>>"),
    stream(`BT ${drawn.join(" ")} ET`),
    helvetica,
    "<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>",
  ]);
  expect((await readPdf(file)).markdown).toBe("- Fjord\n- Lagoon\n\nMeadow \u2718 \u2460 \u2192");
});
