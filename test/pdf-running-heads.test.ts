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

test("the lines of a paragraph that all pages have, as letters do, are no running heads", async () => {
  const names = ["Ann", "Bob", "Cid"];
  const pdf = await PdfBuilder.start();
  for (const [index, name] of names.entries()) {
    if (index > 0) pdf.page();
    pdf.text("ACME of London", 60, 40).text(`Dear ${name},`, 60, 100);
    const first = ["we thank you for your order and are glad to tell you that it has been", "sent to you today,"];
    const last = ["and that all of the things that you have ordered are in it, so that", "you can put up everything."];
    pdf.lines([...first, `with the number ${index * 7 + 5}`, ...last], 60, 118);
  }
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown.match(/we thank you for your order/g)).toHaveLength(names.length);
  expect(markdown.match(/ACME of London/g)?.length ?? 0).toBeLessThan(names.length);
});
