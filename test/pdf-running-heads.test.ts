import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const chapters = ["Of the harbour", "Of the meadow", "Of the fjord", "Of the island", "Of the orchard", "Of the grove"];
const prose = (page: number) =>
  `The ${page}th of the pages says what there is to say, at some length and in whole lines.`;

async function markdownOf(build: (pdf: PdfBuilder, page: number) => void): Promise<string> {
  const pdf = await PdfBuilder.start();
  for (const page of chapters.keys()) {
    if (page > 0) pdf.page();
    build(pdf, page + 1);
    pdf.paragraph(`${prose(page + 1)} ${prose(page + 1)} ${prose(page + 1)}`, 60, 200, 400);
  }
  return (await readPdf(await pdf.bytes())).markdown;
}

test("titles of chapters beside the numbers of pages are running heads, though each stands on one page alone", async () => {
  const markdown = await markdownOf((pdf, page) => {
    const [left, right] = page % 2 === 0 ? [60, 380] : [500, 60];
    pdf.text(`${page}`, left, 50).text(chapters[page - 1]!.toUpperCase(), right, 50);
  });
  expect(markdown).not.toMatch(/OF THE/);
});

test("what stands over the text without a number beside it stays", async () => {
  const markdown = await markdownOf((pdf, page) => {
    pdf.text(chapters[page - 1]!, 60, 100 + page * 8, { face: "bold" }).text(`${page}`, 290, 800);
  });
  for (const chapter of chapters) expect(markdown).toMatch(chapter);
});
