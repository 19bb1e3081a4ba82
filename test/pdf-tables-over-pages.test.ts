import { describe, expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const columns = [60, 200, 300, 400];
const head = ["Year", "Ships", "Tons", "Remark"];
const years = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => [`${first + index}`, `${index * 7}`, `${index * 131}`, "none so far"]);

/** Rows below each other; one of a single cell begins where the first column does. */
function drawRows(pdf: PdfBuilder, rows: readonly (readonly string[])[], y: number): number {
  for (const [index, row] of rows.entries()) {
    for (const [column, text] of row.entries()) pdf.text(text, columns[column]!, y + index * 18);
  }
  return y + rows.length * 18;
}

const prose = "The harbour lies below the meadow, and its piers reach far out into the sea beyond it.";

async function read(build: (pdf: PdfBuilder) => void): Promise<string> {
  const pdf = await PdfBuilder.start();
  build(pdf);
  return (await readPdf(await pdf.bytes())).markdown;
}

const markdownOf = (rows: readonly (readonly string[])[]) => {
  const lines = rows.map((row) => `| ${columns.map((_, index) => row[index] ?? "").join(" | ")} |`);
  return [lines[0], "| --- | --- | --- | --- |", ...lines.slice(1)].join("\n");
};

describe("a table of a PDF", () => {
  it("keeps the rows that name its parts, also below its head", async () => {
    const rows = [
      head,
      ["First decade of the harbour, and what came"],
      ...years(1950, 4),
      ["Second"],
      ...years(1960, 4),
    ];
    const markdown = await read((pdf) => pdf.paragraph(prose, 60, drawRows(pdf, rows, 80) + 40, 400));
    expect(markdown).toBe(`${markdownOf(rows)}\n\n${prose}`);
  });

  it("ends at a line that stands apart between two tables", async () => {
    const markdown = await read((pdf) => {
      const y = drawRows(pdf, [head, ...years(1950, 4)], 80) + 24;
      pdf.text("The second table of the harbour", 60, y);
      drawRows(pdf, [head, ...years(1960, 4)], y + 30);
    });
    expect(markdown.split("\n\n")).toHaveLength(3);
  });

  it("goes on with a single row on the next page", async () => {
    const rows = [head, ...years(1950, 30)];
    const markdown = await read((pdf) => {
      pdf.paragraph(`${prose} ${prose}`, 60, 80, 400);
      drawRows(pdf, rows.slice(0, -1), 180);
      const y = drawRows(pdf.page(), rows.slice(-1), 80);
      pdf.paragraph(`${prose} ${prose}`, 60, y + 40, 400);
    });
    expect(markdown.split("\n\n").slice(1, -1)).toEqual([markdownOf(rows)]);
  });

  it("has its title, and a head of two rows, once", async () => {
    const heads = [head, ["", "a year", "a ship", "of the office"]];
    const [one, two] = [years(1950, 20), years(1970, 20)];
    const markdown = await read((pdf) => {
      pdf.paragraph(`${prose} ${prose}`, 60, 150, 400);
      for (const rows of [one, two]) {
        pdf.text("Ships and tons by year", 150, 250, { face: "bold" });
        drawRows(pdf, [...heads, ...rows], 280);
        if (rows === one) pdf.page();
      }
    });
    expect(markdown.split("\n\n").slice(1)).toEqual([
      "# Ships and tons by year",
      markdownOf([...heads, ...one, ...two]),
    ]);
  });
});
