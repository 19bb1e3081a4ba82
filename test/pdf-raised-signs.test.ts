import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

test("raised signs that are hardly smaller than the text of a PDF stay on their line", async () => {
  const pdf = await PdfBuilder.start();
  let x = 60;
  const draw = (text: string, raised = 0) => {
    pdf.text(text, x, 100 - raised, { size: raised > 0 ? 9.8 : 10 });
    x += pdf.widthOf(text, { size: raised > 0 ? 9.8 : 10 });
  };
  draw("The harbour was built long ago");
  draw("1", 4.9);
  draw(", and its piers cover 20 m");
  draw("2", 4.9);
  draw(" of the sea.");
  pdf.text("It is open to ships of all kinds, and to those who come to see it.", 60, 114);
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown).toBe(
    "The harbour was built long ago<sup>1</sup>, and its piers cover 20 m<sup>2</sup> of the sea. It is open to ships of all kinds, and to those who come to see it.",
  );
});

test("a note mark in brackets stays on its line, however high it is raised", async () => {
  const pdf = await PdfBuilder.start();
  let x = 60;
  const draw = (text: string, size = 10, raised = 0) => {
    pdf.text(text, x, 100 - raised, { size });
    x += pdf.widthOf(text, { size });
  };
  draw("The harbour was built long ago");
  draw("[12]", 6, 5.3);
  draw(", and its piers are of stone, from the hills beyond");
  pdf.text("the town. It is open to ships of all kinds, and to those who come to see it.", 60, 114);
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown).toBe(
    "The harbour was built long ago[12], and its piers are of stone, from the hills beyond the town. It is open to ships of all kinds, and to those who come to see it.",
  );
});
