import { degrees } from "pdf-lib";
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const prose = (page: number) =>
  `Page of the harbour, the ${page}th of them. The piers reach far out into the sea, and the meadow lies above them.`;

async function stamped(pages: number): Promise<string> {
  const pdf = await PdfBuilder.start();
  for (let page = 1; page <= pages; page++) {
    pdf.paragraph(`${prose(page)} ${prose(page)}`, 60, 150, 400);
    pdf.paragraph(`${prose(page)} ${prose(page)}`, 60, 550, 400);
    pdf.current.drawText("DRAFT", { x: 150, y: 350, size: 80, rotate: degrees(45) });
    if (page < pages) pdf.page();
  }
  return (await readPdf(await pdf.bytes())).markdown;
}

test("what is stamped aslant over several pages of a PDF is no part of its text", async () => {
  expect(await stamped(2)).not.toMatch("DRAFT");
  expect(await stamped(1)).toMatch("DRAFT");
});
