// PDF files of some kilobytes that were made to take long: the time of the processor grows with what a page holds.
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { cpuTime } from "./cpu-time.ts";
import { helvetica, letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

function packed(content: string): string {
  return stream(deflateSync(Buffer.from(content, "latin1")).toString("latin1"), "/Filter/FlateDecode");
}

/** The first font is Helvetica. */
function pageOf(content: readonly string[], entries = "", ...others: string[]): Uint8Array {
  const [catalogue, pages, page] = onePage("/Font<</F1 5 0 R/F2 6 0 R>>") as [string, string, string];
  const huge = page.replace("0 0 612 792", "0 0 2000000000 2000000000").replace(/>>$/, `${entries}>>`);
  return rawPdf([catalogue, pages, huge, packed(`BT ${content.join("\n")} ET`), helvetica, ...others]);
}

function text(x: number, y: number, letters: string, size = 10, font = 1): string {
  return `/F${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${letters}) Tj`;
}

const times = "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function fieldPage(field: string): Uint8Array {
  const entries = "/Annots[6 0 R]";
  return pageOf([text(50, 700, "Lamps")], entries, `<</Type/Annot/Subtype/Widget/Rect[50 500 900000 600]${field}>>`);
}

const files: Readonly<Record<string, () => Uint8Array>> = {
  "lists that are almost contents": () =>
    pageOf(
      numbers(24_000).flatMap((row) => {
        const [group, line] = [Math.floor(row / 3), row % 3];
        const y = 4_000_000 - group * 112 - line * 11;
        return [text(group % 2 === 0 ? 40 : 120, y, "Lamps"), text(400, y, "5")];
      }),
    ),
  "a long number with a letter behind it, among Hebrew": () =>
    pageOf(
      [
        text(50, 700, `${"1".repeat(300_000)}a`),
        ...numbers(40).map((line) => text(50, 600 - line * 14, "ABC".repeat(3_000), 10, 2)),
      ],
      "",
      ...letterFont("\u05d0\u05d1\u05d2"),
    ),
  "a line of many pieces with many cells beside it": () =>
    pageOf(
      [
        ...numbers(26_000).map((at) => text(at * 11.2, 700, "aa", 10, 1 + (at % 2))),
        ...numbers(26_000).map((at) => text(300_000 + at * 60, 700, "b")),
      ],
      "",
      times,
    ),
  "columns of numbers": () =>
    pageOf(
      numbers(5_000).flatMap((column) =>
        numbers(10).flatMap((line) => [
          text(column * 30, 700 - line * 30, String(line + 1)),
          text(column * 30, 712 - line * 30, "ab"),
        ]),
      ),
    ),
  "headings, each of another size": () => {
    let y = 1_900_000_000;
    return pageOf(
      numbers(30_000).map((at) => {
        y -= (20 + at / 2) * 3;
        return text(50 + (at % 2) * 1_000_000, y, "Lamps", 20 + at / 2);
      }),
    );
  },
  "a field with many spaces": () => fieldPage(`/FT/Tx/Ff 4096/T(a)/V(alpha${" ".repeat(199_000)}beta\\n. gamma)`),
  "a field with many chosen values": () => {
    const values = numbers(100_000).map((value) => `(${value})`);
    return fieldPage(`/FT/Ch/Ff 2097152/T(a)/Opt[${values.join("")}]/V[${values.toReversed().join("")}]`);
  },
};

test.each(Object.keys(files))("%s", async (what) => {
  const file = files[what]!();
  const started = cpuTime();
  const { markdown } = await readPdf(file);
  expect(cpuTime() - started).toBeLessThan(12_000);
  expect(markdown.length).toBeGreaterThan(0);
});
