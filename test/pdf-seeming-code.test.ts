// A file may hold but a few letters of a font, and these of one width: figures, or a single letter.
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** Of a font whose letters, as far as the file holds them, are all of this width. */
const subset = (width: number) =>
  `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Some/FirstChar 32/LastChar 122/Widths[${`${width} `.repeat(91)}]/FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+Some/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 80>>>>`;

async function markdownOf(...drawn: string[]): Promise<string> {
  const resources = "/Font<</F1 5 0 R/F2 6 0 R>>";
  const content = stream(`BT ${drawn.join(" ")} ET`);
  return (await readPdf(rawPdf([...onePage(resources), content, helvetica, subset(556)]))).markdown;
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
