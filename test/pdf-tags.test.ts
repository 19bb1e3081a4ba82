import { describe, expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { type TaggedText, taggedPdf } from "./fixtures/pdf/tagged-pdf.ts";

const markdownOf = async (texts: readonly TaggedText[]) => (await readPdf(taggedPdf(texts))).markdown;

/** A cell of a table: its row, and where its text begins. */
const cell = (row: number, x: number, text: string): TaggedText => ({
  role: "TD",
  within: ["Table", `TR ${row}`],
  lines: [[x, 700 - row * 20, text]],
});

describe("tagged tables", () => {
  it("keep their columns where cells are left out or reach over several", async () => {
    const [date, what, out, paid, balance] = [72, 130, 300, 380, 460];
    const table = [
      [
        cell(0, date, "Date"),
        cell(0, what, "What"),
        cell(0, out, "Out"),
        cell(0, paid, "In"),
        cell(0, balance, "Balance"),
      ],
      [cell(1, what, "brought forward"), cell(1, balance, "12.00")],
      [cell(2, date, "2 May"), cell(2, what, "sale"), cell(2, paid, "30.00"), cell(2, balance, "42.00")],
      [cell(3, date, "All that was paid in the month of May"), cell(3, balance, "42.00")],
    ];
    expect(await markdownOf(table.flat())).toBe(
      [
        "| Date | What | Out | In | Balance |",
        "| --- | --- | --- | --- | --- |",
        "|  | brought forward |  |  | 12.00 |",
        "| 2 May | sale |  | 30.00 | 42.00 |",
        "| All that was paid in the month of May |  |  |  | 42.00 |",
      ].join("\n"),
    );
  });

  it("keep a title over all columns in the first", async () => {
    const row = (number: number, ...texts: string[]) =>
      texts.map((text, column) => cell(number, texts.length === 1 ? 180 : 72 + column * 100, text));
    const table = [
      row(0, "Ships by year"),
      row(1, "Year", "Ships", "What became of them"),
      row(2, "1950", "7", "sold"),
    ];
    expect((await markdownOf(table.flat())).split("\n")[0]).toBe("| Ships by year |  |  |");
  });

  it("go on with a single row on the next page", async () => {
    const row = (number: number, y: number, ...texts: string[]): TaggedText[] =>
      texts.map((text, column) => ({
        role: "TD",
        within: ["Table", `TR ${number}`],
        lines: [[72 + column * 100, y, text]],
      }));
    const rows = [row(0, 100, "Year", "Ships"), row(1, 80, "1950", "7"), row(2, 60, "1951", "9")].flat();
    const { markdown } = await readPdf(taggedPdf(rows, row(3, 700, "1952", "4")));
    expect(markdown).toBe("| Year | Ships |\n| --- | --- |\n| 1950 | 7 |\n| 1951 | 9 |\n| 1952 | 4 |");
  });

  it("keep their head where something unseen is tagged below it", async () => {
    const markdown = await markdownOf([
      { role: "TH", within: ["Table", "THead", "TR 0"], lines: [[72, 700, "Name"]] },
      { role: "TH", within: ["Table", "THead", "TR 0"], lines: [[200, 700, "Price"]] },
      { role: "P", within: ["Table", "Div"], lines: [] },
      { role: "TD", within: ["Table", "TBody", "TR 1"], lines: [[72, 680, "apples"]] },
      { role: "TD", within: ["Table", "TBody", "TR 1"], lines: [[200, 680, "2.50"]] },
    ]);
    expect(markdown).toBe("| Name | Price |\n| --- | --- |\n| apples | 2.50 |");
  });
});

describe("tagged lists", () => {
  it("keep the terms that stand for marks", async () => {
    const markdown = await markdownOf([
      { role: "Lbl", within: ["L", "LI 1"], lines: [[72, 700, "harbour"]] },
      { role: "LBody", within: ["L", "LI 1"], lines: [[140, 700, "where ships lie"]] },
      { role: "Lbl", within: ["L", "LI 2"], lines: [[72, 680, "fjord"]] },
      { role: "LBody", within: ["L", "LI 2"], lines: [[140, 680, "an arm of the sea"]] },
    ]);
    expect(markdown).toBe("- harbour where ships lie\n- fjord an arm of the sea");
  });

  it("keep the letters and Roman numbers that markdown has no marks for", async () => {
    const markdown = await markdownOf(
      ["a.", "b.", "iii.", "4."].flatMap((mark, index): TaggedText[] => [
        { role: "Lbl", within: ["L", `LI ${index}`], lines: [[72, 700 - index * 20, mark]] },
        { role: "LBody", within: ["L", `LI ${index}`], lines: [[100, 700 - index * 20, "ships lie here"]] },
      ]),
    );
    expect(markdown).toBe("- a. ships lie here\n- b. ships lie here\n- iii. ships lie here\n4. ships lie here");
  });
});

it("joins the lines of code that are tagged as paragraphs", async () => {
  const line = (x: number, y: number, text: string) => ({ role: "P", isCode: true, lines: [[x, y, text]] }) as const;
  const markdown = await markdownOf([
    { role: "H1", lines: [[72, 720, "Before the code"]] },
    { role: "P", lines: [[72, 700, "Text that stands before the code, and says what it does, at some length."]] },
    line(72, 680, "if lamp.is_dark:"),
    line(100, 666, "lamp.light"),
  ]);
  expect(markdown.split("\n\n").at(-1)).toBe("```\nif lamp.is_dark:\n    lamp.light\n```");
});
