/** A heading that ends with number signs keeps them in markdown. */
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

test.each([
  ["Track #", "# Track \\#"],
  ["Notes on C#", "# Notes on C#"],
])("%s", async (heading, expected) => {
  const pdf = await PdfBuilder.start();
  pdf.text(heading, 60, 80, { size: 20 });
  pdf.paragraph("the words of a paragraph that is long enough to be the text of this page ".repeat(6), 60, 120, 400);
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown.split("\n")[0]).toBe(expected);
});
