/** Justified text in narrow columns, whose words stand as far apart as cells. */
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

/** Draws each word by itself, with equal spaces that fill the width. */
function justify(pdf: PdfBuilder, lines: readonly string[], width: number): void {
  for (const [index, line] of lines.entries()) {
    const words = line.split(" ");
    const isLast = index === lines.length - 1;
    const room = width - words.reduce((sum, word) => sum + pdf.widthOf(word), 0);
    let x = 60;
    for (const word of words) {
      pdf.text(word, x, 100 + index * 12);
      x += pdf.widthOf(word) + (isLast ? pdf.widthOf(" ") : room / (words.length - 1));
    }
  }
}

test.each([
  [["internationalisation and", "characteristically of the", "institutionalisation is a", "word of the law."]],
  [["it goes on with the lamps of", "organisations international", "international organisations", "and ends."]],
])("lines with wide spaces are text, no table", async (lines) => {
  const pdf = await PdfBuilder.start();
  justify(pdf, lines, 150);
  expect((await readPdf(await pdf.bytes())).markdown).toBe(lines.join(" "));
});

test("a table of figures at equal distances from edge to edge stays one", async () => {
  const pdf = await PdfBuilder.start();
  const rows = [
    ["12", "34", "56"],
    ["78", "90", "11"],
    ["22", "33", "44"],
  ];
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) pdf.text(cell, 60 + column * 60, 100 + row * 12);
  }
  const [head, ...others] = rows.map((cells) => `| ${cells.join(" | ")} |`);
  expect((await readPdf(await pdf.bytes())).markdown).toBe([head, "| --- | --- | --- |", ...others].join("\n"));
});
