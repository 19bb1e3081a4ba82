/** The pages of plans and posters count in units that are larger than a point. */
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

const lines = ["The river runs through the valley and", "past the mill to the harbour where it", "meets the sea."];

test.each([1, 3, 49, 0.1])("a page in units of %s points is read as any other", async (unit) => {
  const [catalogue, tree, page] = onePage("/Font<</F1 5 0 R>>");
  const bytes = rawPdf([
    catalogue!,
    tree!,
    page!.replace("/MediaBox", `/UserUnit ${unit}/MediaBox`),
    stream(`BT /F1 12 Tf 14 TL 72 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`),
    helvetica,
  ]);
  expect((await readPdf(bytes)).markdown).toBe(lines.join(" "));
});
