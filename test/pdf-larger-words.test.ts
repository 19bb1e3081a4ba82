import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

test("a larger word of another font does not make its line a heading", async () => {
  const pdf = await PdfBuilder.start();
  let x = 60;
  const draw = (text: string, options: { size: number; face?: "code" }) => {
    pdf.text(text, x, 114, options);
    x += pdf.widthOf(text, options);
  };
  pdf.text("Ships that enter the harbour at night are counted by the keeper of the light,", 60, 100);
  draw("and, if the ", { size: 10 });
  draw("COUNT", { size: 12, face: "code" });
  draw(" macro is in the source file, by the program", { size: 10 });
  pdf.text("as well, whatever their kind and their size may be.", 60, 128);
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown).toBe(
    "Ships that enter the harbour at night are counted by the keeper of the light, and, if the `COUNT` macro is in the source file, by the program as well, whatever their kind and their size may be.",
  );
});
