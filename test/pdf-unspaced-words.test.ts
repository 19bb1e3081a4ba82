// PDFs in scripts that set no spaces between words: Thai, Lao, Khmer.
import { expect, test } from "vitest";
import { letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

/** Lines of pieces, each with the gap before it in points. */
async function markdownOf(...lines: readonly (readonly (readonly [text: string, gap: number])[])[]): Promise<string> {
  const letters = [...new Set(lines.flat().flatMap(([text]) => [...text]))].join("");
  const code = (text: string) =>
    [...text].map((letter) => (0x41 + letters.indexOf(letter)).toString(16).padStart(2, "0")).join("");
  const drawn = lines.flatMap((line, index) => {
    let x = 72;
    return line.map(([text, gap], at) => {
      x += gap;
      const font = at % 2 === 0 ? "F1" : "F2";
      const run = `/${font} 12 Tf 1 0 0 1 ${x.toFixed(1)} ${720 - 14 * index} Tm <${code(text)}> Tj\n`;
      x += text.length * 7.2;
      return run;
    });
  });
  const [font, map] = letterFont(letters, 6) as [string, string];
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R/F2 7 0 R>>"),
    stream(`BT ${drawn.join("")} ET`),
    font,
    map,
    font.replace("Courier", "Courier-Oblique"),
  ]);
  const { url } = await site({
    "/a.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(file) },
  });
  return (await engineFor().scrape({ url: `${url}/a.pdf` })).data.markdown?.replace(/[_*]/g, "") ?? "";
}

test("lines go on without a space, and a small gap is none", async () => {
  const markdown = await markdownOf(
    [
      ["ประภาคาร", 0],
      ["เกาตงอย", 1.8],
      ["บนหนาผา", 4],
    ],
    [["เหนอทะเลสรางขนเมอ", 0]],
  );
  expect(markdown).toBe("ประภาคารเกาตงอย บนหนาผาเหนอทะเลสรางขนเมอ");
});
