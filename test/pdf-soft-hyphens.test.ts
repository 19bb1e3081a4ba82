// Many a program calls all hyphens of a font soft ones, which pdf.js takes for signs that nobody sees.
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** A page with these lines, in a font whose hyphens are called soft. */
function withSoftHyphens(...lines: string[]): Uint8Array {
  const drawn = lines.map((line, index) => `1 0 0 1 72 ${720 - index * 14} Tm (${line}) Tj`);
  const names = "beginbfrange <20> <2c> <0020> <2e> <7e> <002e> endbfrange beginbfchar <2d> <00ad> endbfchar";
  return rawPdf([
    ...onePage("/Font<</F1 5 0 R>>"),
    stream(`BT /F1 12 Tf ${drawn.join(" ")} ET`),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
    stream(`begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${names} endcmap`),
  ]);
}

test("words keep the hyphens that the file calls soft, and those parted at the end of a line are whole again", async () => {
  const { markdown } = await readPdf(
    withSoftHyphens(
      "The well-known harbour of the town was made for long-term work, a place of naviga-",
      "tion for ships of all kinds, and its state-of-the-art piers are open to a long-",
      "term rent since the year 2019-2020.",
    ),
  );
  expect(markdown).toBe(
    "The well-known harbour of the town was made for long-term work, a place of navigation for ships of all kinds, and its state-of-the-art piers are open to a long-term rent since the year 2019-2020.",
  );
});
