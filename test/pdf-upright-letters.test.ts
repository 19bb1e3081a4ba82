// Vertical lines whose letters a PDF draws one by one, as browsers print them.
import { expect, test } from "vitest";
import { letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

const size = 12;

/** Columns of letters, from right to left. */
async function markdownOf(columns: readonly string[]): Promise<string> {
  const letters = [...new Set(columns.join(""))].join("");
  const drawn = columns.flatMap((column, index) =>
    [...column].map((letter, row) => {
      const code = (0x41 + letters.indexOf(letter)).toString(16);
      return `1 0 0 1 ${500 - index * 24} ${720 - row * size * 1.02} Tm <${code}> Tj\n`;
    }),
  );
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R>>"),
    stream(`BT /F1 ${size} Tf\n${drawn.join("")} ET`),
    ...letterFont(letters, 6),
  ]);
  const { url } = await site({
    "/a.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(file) },
  });
  return (await engineFor().scrape({ url: `${url}/a.pdf` })).data.markdown ?? "";
}

test("they are read downwards, line by line from the right", async () => {
  const markdown = await markdownOf(["古い灯台は海を見下ろす崖に立ち、", "毎晩火がともる。窓は白い。"]);
  expect(markdown.replace(/\s/g, "")).toBe("古い灯台は海を見下ろす崖に立ち、毎晩火がともる。窓は白い。");
});
