/** The areas of a PDF's links, and the text that they cover. */
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** A page with one line, and a link with the given area. */
function linkedPdf(rect: string): Uint8Array {
  const [catalogue, tree, page, ...rest] = onePage("/Font<</F1 5 0 R>>");
  return rawPdf([
    catalogue!,
    tree!,
    page!.replace("/MediaBox", "/Annots[6 0 R]/MediaBox"),
    ...rest,
    stream("BT /F1 12 Tf 72 720 Td (a page) Tj ET"),
    helvetica,
    `<</Type/Annot/Subtype/Link/Rect[${rect}]/A<</S/URI/URI(https://site.test/)>>>>`,
  ]);
}

test("an area that reaches up to a number without neighbours ends", async () => {
  const { markdown } = await readPdf(linkedPdf(`0 0 612 ${"9".repeat(21)}`));
  expect(markdown).toBe("[a page](https://site.test/)");
});
