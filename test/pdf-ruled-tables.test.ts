import { rgb } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { cpuTime } from "./cpu-time.ts";
import { markdownOf, type PdfBuilder, pageHeight } from "./fixtures/pdf/build-pdf.ts";

/** A line across or down, from the top left corner. */
function rule(pdf: PdfBuilder, fromX: number, fromY: number, toX: number, toY: number): void {
  const [start, end] = [
    { x: fromX, y: pageHeight - fromY },
    { x: toX, y: pageHeight - toY },
  ];
  pdf.current.drawLine({ start, end, thickness: 0.5 });
}

const text = "Keepers of lamps are asked to read this page with care, and to send it back before the month is out.";

describe("tables with rules", () => {
  it("of two rows, with cells that are set close together and in several lines", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(text, 60, 80, 400);
      for (const y of [120, 140, 180]) rule(pdf, 60, y, 300, y);
      for (const x of [60, 120, 130, 300]) rule(pdf, x, 120, x, 180);
      pdf.text("Station", 84, 134).text("N", 122, 134).text("Remarks", 134, 134);
      pdf.text("Northern", 62, 165).text("of Fjord", 84, 176).text("7", 123, 170);
      pdf.lines(["The lamp was lit on every day", "of the winter, and no ship", "was lost."], 134, 152);
      pdf.paragraph(text, 60, 210, 400);
    });
    expect(markdown.split("\n\n")).toEqual([
      text,
      "| Station | N | Remarks |\n| --- | --- | --- |\n" +
        "| Northern of Fjord | 7 | The lamp was lit on every day of the winter, and no ship was lost. |",
      text,
    ]);
  });

  it("with cells over several columns and rows, and no lines at the sides", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(text, 60, 80, 400);
      for (const y of [120, 160, 180, 200]) rule(pdf, 60, y, 300, y);
      rule(pdf, 140, 140, 300, 140);
      rule(pdf, 140, 120, 140, 200);
      rule(pdf, 220, 140, 220, 200);
      pdf.text("Station", 80, 144).text("Lamps", 200, 134).text("lit", 170, 154).text("dark", 250, 154);
      pdf.text("Fjord", 64, 174).text("12", 170, 174).text("3", 250, 174);
      pdf.text("Lagoon", 64, 194).text("8", 250, 194);
    });
    expect(markdown.split("\n\n")[1]).toBe(
      "| Station | Lamps |  |\n| --- | --- | --- |\n|  | lit | dark |\n| Fjord | 12 | 3 |\n| Lagoon |  | 8 |",
    );
  });

  it("may have no lines between their rows", async () => {
    const rows = [
      ["Fjord", "12", "lit"],
      ["Lagoon", "", "dark"],
      ["Meadow", "9", ""],
      ["Orchard", "1", "lit"],
    ];
    const markdown = await markdownOf((pdf) => {
      for (const y of [100, 120, 176]) rule(pdf, 60, y, 300, y);
      for (const x of [60, 140, 220, 300]) rule(pdf, x, 100, x, 176);
      pdf.text("Station", 64, 114).text("Lamps", 144, 114).text("State", 224, 114);
      for (const [row, cells] of rows.entries())
        for (const [column, cell] of cells.entries()) pdf.text(cell, 64 + column * 80, 133 + row * 12);
    });
    expect(markdown).toBe(
      ["| Station | Lamps | State |", "| --- | --- | --- |", ...rows.map((cells) => `| ${cells.join(" | ")} |`)].join(
        "\n",
      ),
    );
  });

  it.each([
    [true, "with"],
    [false, "without"],
  ])("keep a cell's lines together where all cells of a row have as many: %s, %s rules", async (isRuled) => {
    const rows = ["harbour", "lagoon", "grove"].map((place) => [
      ["The lamp of", "the keeper of", `the ${place}`],
      ["Shows ships the", "way into the", "port"],
    ]);
    const markdown = await markdownOf((pdf) => {
      if (isRuled) {
        for (const y of [100, 120, 165, 210, 255]) rule(pdf, 60, y, 300, y);
        for (const x of [60, 140, 300]) rule(pdf, x, 100, x, 255);
      }
      for (const [row, cells] of [[["Station"], ["What it does"]], ...rows].entries())
        for (const [column, lines] of cells.entries())
          pdf.lines(lines, 64 + column * 80, 114 + Math.max(0, row * 45 - 25));
    });
    const written = rows.map((cells) => `| ${cells.map((lines) => lines.join(" ")).join(" | ")} |`);
    expect(markdown).toBe(["| Station | What it does |", "| --- | --- |", ...written].join("\n"));
  });

  it("have a head of several lines, also on a page without other text", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Year", 64, 106).lines(["Lamps lit", "in winter"], 144, 100);
      pdf.lines(["Lamps lit", "in summer"], 224, 100);
      for (const row of [0, 1, 2, 3])
        for (const [column, cell] of [`190${row}`, `1${row}`, `${row}`].entries())
          pdf.text(cell, 64 + column * 80, 132 + row * 20);
    });
    expect(markdown.split("\n").slice(0, 3)).toEqual([
      "| Year | Lamps lit in winter | Lamps lit in summer |",
      "| --- | --- | --- |",
      "| 1900 | 10 | 0 |",
    ]);
  });

  it("may have lines between their columns in some rows only", async () => {
    const markdown = await markdownOf((pdf) => {
      for (const y of [100, 120, 140, 160]) rule(pdf, 60, y, 300, y);
      for (const x of [60, 300]) rule(pdf, x, 100, x, 160);
      for (const x of [140, 220]) rule(pdf, x, 120, x, 140);
      for (const [row, state] of ["lit", "dark", "lit"].entries()) {
        pdf
          .text(`Station ${row}`, 64, 114 + row * 20)
          .text("12", 144, 114 + row * 20)
          .text(state, 224, 114 + row * 20);
      }
    });
    expect(markdown).toBe(
      "| Station 0 | 12 | lit |\n| --- | --- | --- |\n| Station 1 | 12 | dark |\n| Station 2 | 12 | lit |",
    );
  });

  it("with cells that are filled boxes with a border", async () => {
    const rows = [
      ["N", "S", "W"],
      ["1", "x", ""],
      ["2", "", "z"],
    ];
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(text, 60, 80, 400);
      for (const [row, cells] of rows.entries()) {
        for (const [column, cell] of cells.entries()) {
          const [x, y] = [60 + column * 12, 140 + row * 20];
          const [color, borderColor] = [rgb(0.9, 0.9, 0.9), rgb(0, 0, 0)];
          pdf.current.drawRectangle({
            x,
            y: pageHeight - y,
            width: 12,
            height: 20,
            color,
            borderColor,
            borderWidth: 0.5,
          });
          if (cell !== "") pdf.text(cell, x + 2, y - 6);
        }
      }
    });
    expect(markdown.split("\n\n")[1]).toBe("| N | S | W |\n| --- | --- | --- |\n| 1 | x |  |\n| 2 |  | z |");
  });

  it("with cells of one line beside the last line of another, as beside its first", async () => {
    const markdown = await markdownOf((pdf) => {
      for (const y of [100, 120, 150, 180]) rule(pdf, 60, y, 300, y);
      for (const x of [60, 140, 220, 300]) rule(pdf, x, 100, x, 180);
      pdf.text("Station", 62, 114).text("Keeper", 142, 114).text("Lamp", 222, 114);
      pdf.text("Fjord", 62, 144).lines(["Anna North", "the older"], 142, 132);
      pdf.text("lit", 222, 144);
      pdf.text("Lagoon", 62, 162).lines(["Berta South", "the younger"], 142, 162);
      pdf.text("dark", 222, 162);
    });
    expect(markdown.split("\n").slice(2)).toEqual([
      "| Fjord | Anna North the older | lit |",
      "| Lagoon | Berta South the younger | dark |",
    ]);
  });

  it("are none where rules frame text, or cross it", async () => {
    const markdown = await markdownOf((pdf) => {
      for (const y of [70, 300, 305]) rule(pdf, 50, y, 500, y);
      for (const x of [50, 500]) rule(pdf, x, 70, x, 305);
      pdf.paragraph(text, 60, 90, 400);
      pdf.paragraph(text, 60, 140, 400);
    });
    expect(markdown.split("\n\n")).toEqual([text, text]);
  });

  it("are found in linear time, or not at all", async () => {
    const started = cpuTime();
    const markdown = await markdownOf((pdf) => {
      for (let line = 0; line < 3_000; line++) rule(pdf, 50, 50 + line * 0.2, 500, 50 + line * 0.2);
      for (let line = 0; line < 3_000; line++) rule(pdf, 50 + line * 0.15, 50, 50 + line * 0.15, 700);
      for (let line = 0; line < 50; line++) pdf.text(text, 60, 60 + line * 12);
    });
    expect(markdown).toContain("Keepers of lamps");
    expect(cpuTime() - started).toBeLessThan(10_000);
  });
});
