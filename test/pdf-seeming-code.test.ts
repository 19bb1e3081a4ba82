// A file may hold but a few letters of a font, and these of one width: figures, or a single letter.
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** Of one font of the file, the letters from a code on, of these widths. */
const part = (first: number, widths: readonly number[]) =>
  `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Some/Encoding/WinAnsiEncoding/FirstChar ${first}/LastChar ${first + widths.length - 1}/Widths[${widths.join(" ")}]/FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+Some/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 80>>>>`;

const ofOneWidth = part(32, Array(91).fill(556));
const ofManyWidths = part(
  32,
  Array.from({ length: 91 }, (_, index) => 450 + (index % 5) * 50),
);

async function markdownOf(...drawn: string[]): Promise<string> {
  const resources = "/Font<</F1 5 0 R/F2 6 0 R>>";
  const content = stream(`BT ${drawn.join(" ")} ET`);
  return (await readPdf(rawPdf([...onePage(resources), content, helvetica, ofOneWidth]))).markdown;
}

const prose = "/F1 11 Tf 1 0 0 1 72 600 Tm (The harbour lies below the meadow, and its piers reach far.) Tj";

test("a font of which only figures are drawn is none of code", async () => {
  const markdown = await markdownOf(
    prose,
    "/F1 11 Tf 1 0 0 1 72 700 Tm (The piers of it cover) Tj",
    "/F2 11 Tf 1 0 0 1 180 700 Tm (120) Tj /F1 11 Tf 1 0 0 1 202 700 Tm (square metres.) Tj",
  );
  expect(markdown.split("\n\n")[0]).toBe("The piers of it cover 120 square metres.");
});

test("a font is one of code when narrow letters are as wide as others", async () => {
  const markdown = await markdownOf(
    prose,
    "/F1 11 Tf 1 0 0 1 72 700 Tm (The lamp is lit by) Tj",
    "/F2 11 Tf 1 0 0 1 166 700 Tm (lamp.light) Tj /F1 11 Tf 1 0 0 1 231 700 Tm (at night.) Tj",
  );
  expect(markdown.split("\n\n")[0]).toBe("The lamp is lit by `lamp.light` at night.");
});

test.each(["before", "after"])(
  "bullets of a second font of the text's name make no code of items %s the text",
  async (place) => {
    const item = "/F2 11 Tf 1 0 0 1 72 700 Tm (\\225) Tj /F1 11 Tf 1 0 0 1 80 700 Tm (The harbour lies below.) Tj";
    const content = stream(`BT ${(place === "before" ? [item, prose] : [prose, item]).join(" ")} ET`);
    const fonts = [ofManyWidths, part(149, [350])];
    const { markdown } = await readPdf(rawPdf([...onePage("/Font<</F1 5 0 R/F2 6 0 R>>"), content, ...fonts]));
    expect(markdown.split("\n\n")).toContain("- The harbour lies below.");
  },
);
