import { readFile } from "node:fs/promises";
import { degrees, PDFName, PDFString } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { ScrapeError } from "../src/errors.ts";
import { readPdf } from "../src/transform/read-pdf.ts";
import { cpuTime } from "./cpu-time.ts";
import { markdownOf, PdfBuilder, pageHeight } from "./fixtures/pdf/build-pdf.ts";
import { encryptedPdf } from "./fixtures/pdf/encrypted-pdf.ts";
import { foreignFontPdf, formBomb, helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { taggedPdf } from "./fixtures/pdf/tagged-pdf.ts";

const words =
  "amber basin cedar delta ember fjord grove harbour island jungle kernel lagoon meadow nectar orchard".split(" ");

/** Sentences of made-up prose, different for each seed. */
function prose(seed: number, sentences: number): string {
  return Array.from({ length: sentences }, (_, sentence) => {
    const count = 9 + ((seed * 7 + sentence * 5) % 8);
    const picked = Array.from(
      { length: count },
      (_, at) => words[(seed * 3 + sentence * 4 + at * (1 + (seed % 4))) % 15]!,
    );
    picked[0] = picked[0]![0]!.toUpperCase() + picked[0]!.slice(1) + seed;
    return `${picked.join(" ")}.`;
  }).join(" ");
}

const blocksOf = (markdown: string) => markdown.split("\n\n");

describe("reading order", () => {
  it("reads a title and an abstract over the width, then column after column, page after page", async () => {
    const abstract = prose(1, 4);
    const paragraphs = Array.from({ length: 16 }, (_, index) => prose(index + 2, 7));
    const markdown = await markdownOf((pdf) => {
      pdf.text("A Study of Columns", 180, 80, { size: 20 });
      let top = pdf.paragraph(abstract, 60, 110, 475) + 14;
      const places = [60, 310];
      let column = 0;
      let y = top;
      for (const paragraph of paragraphs) {
        pdf.broken(paragraph, 225).forEach((line, index) => {
          if (y > 780) {
            column++;
            if (column % 2 === 0) {
              pdf.page();
              top = 70;
            }
            y = top;
          }
          pdf.text(line, places[column % 2]! + (index === 0 ? 12 : 0), y);
          y += 12;
        });
      }
    });
    expect(blocksOf(markdown)).toEqual(["# A Study of Columns", abstract, ...paragraphs]);
  });

  it("finds the columns below a summary that takes most of the page", async () => {
    const summary = prose(1, 20);
    const [left, right] = [prose(2, 8), prose(3, 8)];
    const markdown = await markdownOf((pdf) => {
      const top = pdf.paragraph(summary, 60, 80, 475) + 20;
      pdf.paragraph(left, 60, top, 225);
      // Lines of the columns stand at different heights.
      pdf.paragraph(right, 310, top + 5, 225);
    });
    expect(blocksOf(markdown)).toEqual([summary, left, right]);
  });

  it("reads three columns, and a line across them as the border between two parts", async () => {
    const upper = [prose(1, 6), prose(2, 6), prose(3, 6)];
    const lower = [prose(4, 6), prose(5, 6), prose(6, 6)];
    const markdown = await markdownOf((pdf) => {
      for (const [index, text] of upper.entries()) pdf.paragraph(text, 50 + index * 175, 80, 150);
      pdf.text("Second part of the newsletter, which runs across all of the columns of the page", 50, 420, {
        size: 14,
      });
      for (const [index, text] of lower.entries()) pdf.paragraph(text, 50 + index * 175, 450, 150);
    });
    const [first, heading, second] = [
      upper,
      "# Second part of the newsletter, which runs across all of the columns of the page",
      lower,
    ];
    expect(blocksOf(markdown)).toEqual([...first, heading, ...second]);
  });

  it("turns pages and sideways text upright", async () => {
    const text = prose(1, 5);
    const pdf = await PdfBuilder.start();
    pdf.paragraph(text, 60, 100, 400);
    pdf.current.drawText("sideways stamp", { x: 30, y: 300, size: 12, rotate: degrees(90) });
    const turned = pdf.page();
    turned.paragraph(prose(2, 5), 60, 100, 400);
    turned.current.setRotation(degrees(180));
    const { markdown } = await readPdf(await pdf.bytes());
    expect(blocksOf(markdown)).toEqual([text, expect.stringContaining("sideways stamp"), prose(2, 5)]);
  });
});

describe("paragraphs", () => {
  it("joins words that a hyphen parts, over lines and pages, and keeps compounds", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("This well-known text is filled with enough words to make one line long, and infor-", 60, 100);
      pdf.text("mation is parted there, just as in the next line the compound is parted in well-", 60, 112);
      pdf.text("known places; and the last word of this page goes on over the border of the pa-", 60, 124);
      pdf.page().text("per, where the paragraph ends after some more words that fill a line of text and", 60, 100);
      pdf.text("come to an end.", 60, 112);
    });
    expect(markdown).toBe(
      "This well-known text is filled with enough words to make one line long, and information is parted there, just as " +
        "in the next line the compound is parted in well-known places; and the last word of this page goes on over the " +
        "border of the paper, where the paragraph ends after some more words that fill a line of text and come to an end.",
    );
  });

  it("parts paragraphs by space, by indentation, or by a line that ends early", async () => {
    const texts = [1, 2, 3, 4].map((seed) => prose(seed, 4));
    for (const [space, indent] of [
      [8, 0],
      [0, 14],
    ] as const) {
      const markdown = await markdownOf((pdf) => {
        let y = 80;
        for (const text of texts) {
          const [first, ...rest] = pdf.broken(text, 380);
          pdf.text(first!, 80 + indent, y);
          y = pdf.lines(rest, 80, y + 12) + space;
        }
      });
      expect(blocksOf(markdown)).toEqual(texts);
    }
  });

  it("part by an indentation after a line whose last sign reaches into the margin", async () => {
    const line = words.join(" ");
    const markdown = await markdownOf((pdf) => {
      const width = pdf.widthOf(line);
      const y = pdf.lines([line, line, `${line}.`], 80, 80);
      // Set in by as much as it is narrower.
      pdf.text(line, 89, y, { size: (10 * (width - 9)) / width });
      pdf.lines([line, `${words[0]}.`], 80, y + 12);
    });
    expect(blocksOf(markdown)).toEqual([`${line} ${line} ${line}.`, `${line} ${line} ${words[0]}.`]);
  });

  it("are not begun by a sum at the right edge above them", async () => {
    const text = prose(2, 3);
    const markdown = await markdownOf((pdf) => {
      pdf.text("Total EUR 30.00", 385, 100);
      pdf.paragraph(text, 80, 112, 380);
    });
    expect(blocksOf(markdown)).toEqual(["Total EUR 30.00", text]);
  });

  it("escapes what would be markup, and no more", async () => {
    const markdown = await markdownOf((pdf) => pdf.text("a snake_case * name, <b>not bold</b> & 1 < 2", 60, 100));
    expect(markdown).toBe("a snake_case * name, \\<b>not bold\\</b> & 1 < 2");
  });
});

describe("headings", () => {
  it("of one size are two where one is in the middle of the page, and the next at the left", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("On the lamps", 250, 80, { size: 18, face: "bold" });
      pdf.text("of harbours", 255, 104, { size: 18, face: "bold" });
      pdf.text("First part", 60, 132, { size: 18, face: "bold" });
      pdf.paragraph(prose(1, 8), 60, 152, 450);
    });
    expect(blocksOf(markdown)).toEqual(["# On the lamps of harbours", "# First part", prose(1, 8)]);
  });

  it("come from the size of the text", async () => {
    const pdf = await PdfBuilder.start();
    let y = pdf.lines(["The Report"], 60, 80, { size: 24 }) + 10;
    for (const [index, section] of ["First section", "Second section"].entries()) {
      y = pdf.lines([section], 60, y + 10, { size: 16 }) + 4;
      y = pdf.paragraph(prose(index + 1, 4), 60, y, 450) + 6;
      y = pdf.lines(["A part of it"], 60, y + 8, { size: 12.5 }) + 2;
      y = pdf.paragraph(prose(index + 5, 4), 60, y, 450) + 6;
    }
    const { markdown, metadata } = await readPdf(await pdf.bytes());
    expect(markdown.match(/^#+ .*$/gm)).toEqual([
      "# The Report",
      "## First section",
      "### A part of it",
      "## Second section",
      "### A part of it",
    ]);
    expect(metadata["title"]).toBe("The Report");
  });

  it("are no sentences that are a little larger, nor lines that end with the number of a page", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Small print", 60, 60, { size: 20 });
      pdf.paragraph(prose(1, 12), 60, 100, 450);
      pdf.text("This is what you have to know of the summary.", 60, 400, { size: 12 });
      pdf.text("Findings and more", 60, 440, { size: 13 }).text("17", 400, 440, { size: 13 });
    });
    expect(markdown.match(/^#+ .*/gm)).toEqual(["# Small print"]);
  });

  it("stand out against the text of a manual that holds more code", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("The manual", 60, 60, { size: 20 });
      for (let at = 0; at < 4; at++) pdf.text(prose(at + 1, 1).slice(0, 70), 60, 100 + at * 40, { size: 11 });
      for (let at = 0; at < 40; at++)
        pdf.text(`value${at} = compute(${at});`, 60, 280 + at * 11, { size: 8, face: "code" });
    });
    expect(markdown.match(/^#+ .*/gm)).toEqual(["# The manual"]);
  });

  it("are set in the font of code, too, where they are larger than the text", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Functions", 60, 70, { size: 18 });
      for (const [index, name] of ["amber(basin)", "cedar(delta)"].entries()) {
        const y = 110 + index * 150;
        pdf.text(name, 60, y, { size: 13, face: "code" });
        pdf.paragraph(prose(index, 4), 60, y + 24, 450);
        pdf.text("return basin;", 60, y + 100, { face: "code" });
      }
    });
    expect(markdown.match(/^#.*$/gm)).toEqual(["# Functions", "## amber(basin)", "## cedar(delta)"]);
    expect(markdown.match(/```\nreturn basin;\n```/g)).toHaveLength(2);
  });

  it("come from bold lines that stand alone, not from bold words", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("1.2 Method", 60, 80, { face: "bold" });
      pdf.paragraph(prose(1, 3), 60, 100, 450);
      pdf.text("Note:", 60, 160, { face: "bold" });
      pdf.text("this is said within a line of text.", 92, 160);
    });
    expect(blocksOf(markdown)).toEqual(["# 1.2 Method", prose(1, 3), "Note: this is said within a line of text."]);
  });

  it("come from numbers that count on with text between them, as papers have them", async () => {
    const headings = ["I. INTRODUCTION", "II. METHODS", "A. Data", "B. Lamps and glasses", "III. RESULTS"];
    const markdown = await markdownOf((pdf) => {
      pdf.text("A Study of Lamps", 200, 60, { size: 20 });
      let y = 90;
      for (const [index, heading] of headings.entries()) {
        pdf.text(heading, 240, y);
        y = heading === "II. METHODS" ? y + 20 : pdf.paragraph(prose(index, 5), 60, y + 18, 450) + 20;
      }
      pdf.lines(["A. lamps of oil", "B. lamps of gas", "C. lamps of glass"], 60, y);
    });
    expect(markdown.match(/^#.*/gm)).toEqual([
      "# A Study of Lamps",
      "## I. INTRODUCTION",
      "## II. METHODS",
      "### A. Data",
      "### B. Lamps and glasses",
      "## III. RESULTS",
    ]);
    expect(markdown).toContain("- A. lamps of oil\n- B. lamps of gas");
  });

  it("have the levels of the outline where there is one", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Handbook", 60, 80, { size: 26 });
      pdf.text("1 Basics", 60, 120, { size: 14 });
      pdf.paragraph(prose(1, 4), 60, 140, 450);
      pdf.text("1.1 Words", 60, 220);
      pdf.paragraph(prose(2, 4), 60, 240, 450);
      pdf.outline([
        { title: "Basics", depth: 0 },
        { title: "1.1 Words", depth: 1 },
        { title: "Elsewhere", depth: 0 },
      ]);
    });
    expect(blocksOf(markdown)).toEqual(["# Handbook", "## 1 Basics", prose(1, 4), "### 1.1 Words", prose(2, 4)]);
  });
});

describe("lists, code and tables", () => {
  it("keeps bullets, numbers, nesting and items of several lines", async () => {
    const long = prose(3, 3);
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph("The following is needed before the work can start, in whatever order it is had:", 60, 80, 450);
      pdf.text("•", 60, 100).text("first item", 75, 100);
      pdf.text("•", 60, 114);
      pdf.lines(pdf.broken(long, 420), 75, 114);
      pdf.text("–  inner item", 75, 152).text("•", 60, 166).text("last item", 75, 166);
      pdf.lines(["1. one", "2. two", "3. three"], 60, 200, { leading: 14 });
    });
    expect(markdown).toBe(
      [
        "The following is needed before the work can start, in whatever order it is had:",
        `- first item\n- ${long}\n  - inner item\n- last item\n1. one\n2. two\n3. three`,
      ].join("\n\n"),
    );
  });

  it("keeps the lines and the indentation of code", async () => {
    const code = ["def main():", "    for line in text:", "        print(line)", "", "main()"];
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(prose(1, 5), 60, 80, 450);
      code.forEach((line, index) => {
        const indent = line.length - line.trimStart().length;
        if (line !== "") pdf.text(line.trim(), 80 + indent * 6, 150 + index * 12, { face: "code" });
      });
      pdf.paragraph(prose(2, 5), 60, 230, 450);
    });
    expect(markdown).toContain(`\n\n\`\`\`\n${code.join("\n")}\n\`\`\`\n\n`);
  });

  it("knows code by its letters, which are all of one width, where neither the font's name nor its flags say so", async () => {
    const code = [
      "const nectar = amber(2);",
      "while (basin < 10) {",
      "  jungle += little;",
      "}",
      "swim(lagoon, 'meadow');",
      "if (well) harbour();",
    ];
    const draw = (text: string, font: string, y: number) =>
      `/${font} 10 Tf 1 0 0 1 60 ${y} Tm (${text.replace(/[()]/g, "\\$&")}) Tj`;
    const drawn = [
      ...[0, 1, 2].map((line) => draw(prose(line, 1), "F1", 720 - line * 12)),
      ...code.map((line, at) => draw(line, "F2", 670 - at * 12)),
    ];
    const bytes = rawPdf([
      ...onePage("/Font<</F1 5 0 R/F2 6 0 R>>"),
      stream(`BT ${drawn.join(" ")} ET`),
      helvetica,
      `<</Type/Font/Subtype/TrueType/BaseFont/Quill/FirstChar 32/LastChar 126/Widths[${"602 ".repeat(95)}]/Encoding/WinAnsiEncoding/FontDescriptor 7 0 R>>`,
      "<</Type/FontDescriptor/FontName/Quill/Flags 32/FontBBox[0 -200 602 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 700/StemV 80>>",
    ]);
    const { markdown } = await readPdf(bytes);
    expect(markdown).toContain(`\`\`\`\n${code.join("\n")}\n\`\`\``);
    expect(markdown.split("```")[0]).toContain(prose(0, 1));
  });

  /** Code of which three lines are at the end of a page, between paragraphs. */
  const overPages = (code: readonly string[]): Promise<string> =>
    markdownOf((pdf) => {
      pdf.paragraph(prose(1, 30), 60, 60, 450);
      code.forEach((line, index) => {
        if (index === 3) pdf.page();
        const indent = line.length - line.trimStart().length;
        pdf.text(line.trim(), 80 + indent * 6, (index < 3 ? 740 : 40) + index * 12, { face: "code" });
      });
      pdf.paragraph(prose(2, 5), 60, 300, 450);
    });

  it.each([
    [
      "with its indentation",
      ["function count(list) {", "  let total = 0;", "  for (const one of list) {", "    total += one;", "  }", "}"],
    ],
    [
      "where the block before began with an indented line",
      ["    total += one;", "  }", "}", "function reset(list) {", "  list.length = 0;", "}"],
    ],
  ])("goes on with code on the next page, %s", async (_, code) => {
    expect(await overPages(code)).toContain(`\n\n\`\`\`\n${code.join("\n")}\n\`\`\`\n\n`);
  });

  it("does not go on with code in the next column", async () => {
    const markdown = await markdownOf((pdf) => {
      for (const [column, name] of ["left", "right"].entries()) {
        const left = 60 + column * 260;
        const lines = [`call ${name}();`, `wait ${name}();`, `stop ${name}();`];
        lines.forEach((line, index) => {
          pdf.text(line, left, (column === 0 ? 700 : 60) + index * 12, { face: "code" });
        });
        pdf.paragraph(prose(column + 1, 20), left, column === 0 ? 60 : 110, 230);
      }
    });
    expect(markdown).toContain("stop left();\n```\n\n```\ncall right();");
  });

  it("finds simple tables, with cells of several lines and empty ones", async () => {
    const rows = [
      ["Name", "Colour", "Price"],
      ["Apple", "red", "1.20"],
      ["Pear", "green and", "2.40"],
      ["Plum", "", "3.10"],
      ["Fig", "violet | dark", "4.00"],
    ];
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(prose(1, 5), 60, 80, 450);
      rows.forEach((row, index) => {
        const y = 180 + index * 20 + (index > 2 ? 10 : 0);
        row.forEach((cell, column) => {
          if (cell !== "") pdf.text(cell, 60 + column * 130, y);
        });
      });
      pdf.text("yellow", 190, 232);
    });
    expect(blocksOf(markdown)[1]).toBe(
      [
        "| Name | Colour | Price |",
        "| --- | --- | --- |",
        "| Apple | red | 1.20 |",
        "| Pear | green and yellow | 2.40 |",
        "| Plum |  | 3.10 |",
        "| Fig | violet \\| dark | 4.00 |",
      ].join("\n"),
    );
  });

  it("keeps the rows of a table apart that stand as close as lines below a head with a rule between", async () => {
    const rows = [
      ["Name", "Colour", "Price"],
      ...words.slice(0, 6).map((word, at) => [word, at === 2 ? "" : "red", `${at}.20`]),
    ];
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(prose(1, 5), 60, 80, 450);
      rows.forEach((row, index) => {
        const y = 180 + index * 12 + (index > 0 ? 6 : 0) + (index > 3 ? 6 : 0);
        row.forEach((cell, column) => {
          if (cell !== "") pdf.text(cell, 60 + column * 130, y);
        });
      });
    });
    expect(blocksOf(markdown)[1]!.split("\n")).toEqual([
      "| Name | Colour | Price |",
      "| --- | --- | --- |",
      ...rows.slice(1).map((row) => `| ${row.join(" | ")} |`),
    ]);
  });

  it("finds a table below a numbered heading and a line with a wide space, which are no rows of it", async () => {
    const rows = [
      ["Region", "Number", "Length"],
      ["Greenland", "120", "56.2"],
      ["Svalbard", "87", "61.0"],
      ["Alaska", "230", "58.4"],
    ];
    const pdf = await PdfBuilder.start();
    pdf.text("2", 60, 76, { size: 14, face: "bold" }).text("Data", 84, 76, { size: 14, face: "bold" });
    pdf.text("Table 1 shows the numbers.", 60, 98).text("The animals were seen.", 193, 98);
    for (const [row, cells] of rows.entries())
      for (const [column, x] of [95, 152, 199].entries())
        pdf.text(cells[column]!, x, 122 + row * 12 + (row > 0 ? 5 : 0));
    const { markdown } = await readPdf(await pdf.bytes());
    const [first, ...others] = rows.map((cells) => `| ${cells.join(" | ")} |`);
    expect(markdown).toContain(`The animals were seen.\n\n${[first, "| --- | --- | --- |", ...others].join("\n")}`);
  });

  it("finds the table of an invoice: one row below its head, and sums, but not the addresses far above", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.lines(["Invoice number 1234", "Invoice date of May 2", "Balance of $120.00"], 50, 100);
      pdf.lines(["Keeper of the Lamps", "77 Island Lane", "Lagoon in the Northland"], 300, 100);
      const heads = ["Item", "Description", "Unit cost", "Quantity", "Total"];
      const item = ["TC 100", "Lamp oil", "$60.00", "2", "$120.00"];
      for (const [column, x] of [50, 130, 326, 419, 517].entries()) {
        pdf.text(heads[column]!, x, 240).text(item[column]!, x, 266);
      }
      for (const [row, sum] of ["Subtotal", "Paid", "Due"].entries())
        pdf.text(sum, 326, 292 + row * 20).text("$120.00", 517, 292 + row * 20);
      pdf.text("What was bought before", 50, 400).text("Item", 50, 440).text("Count", 240, 440).text("Price", 400, 440);
      pdf.text("Wicks", 50, 460).text("3", 244, 460).text("$9.00", 400, 460);
    });
    expect(markdown).toContain(
      "| Item | Description | Unit cost | Quantity | Total |\n| --- | --- | --- | --- | --- |\n" +
        "| TC 100 | Lamp oil | $60.00 | 2 | $120.00 |\n|  |  | Subtotal |  | $120.00 |",
    );
    expect(markdown).toContain("| Item | Count | Price |\n| --- | --- | --- |\n| Wicks | 3 | $9.00 |");
  });

  describe("of cells with several lines", () => {
    const lines = (seed: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        prose(seed * 5 + at, 1)
          .split(" ")
          .slice(0, 5)
          .join(" "),
      );
    const rows = [2, 1, 4, 3, 2].map((count, row) => [lines(row, 5 - count), lines(row + 10, count), [`seen ${row}`]]);
    const expected = rows.map((cells) => `| ${cells.map((cell) => cell.join(" ")).join(" | ")} |`);

    /** `place`: the share of the room above the lines of a cell that are fewer than its neighbour's. */
    const tableAt = (place: number) =>
      markdownOf((pdf) => {
        pdf.paragraph(prose(1, 5), 60, 80, 450);
        let y = 180;
        for (const cells of rows) {
          const most = Math.max(...cells.map(({ length }) => length));
          cells.forEach((cell, column) => {
            pdf.lines(cell, 60 + column * 190, y + (most - cell.length) * 12 * place);
          });
          y += most * 12 + 9;
        }
        pdf.paragraph(prose(2, 5), 60, y + 30, 450);
      });

    it.each([
      ["in the middle", 0.5],
      ["at the top", 0],
      ["at the bottom", 1],
    ])("keeps what stands %s of a row in that row", async (_, place) => {
      const blocks = blocksOf(await tableAt(place));
      expect(blocks).toHaveLength(3);
      expect(blocks[1]!.split("\n").filter((line) => !line.startsWith("| ---"))).toEqual(expected);
    });

    it("takes no paragraphs of two columns for one, nor references with their marks", async () => {
      const markdown = await markdownOf((pdf) => {
        for (const [column, lengths] of [
          [3, 5, 2, 4, 3],
          [4, 3, 3, 5, 2],
        ].entries()) {
          let y = 80;
          for (const [at, length] of lengths.entries())
            y = pdf.lines(lines(column * 7 + at, length), 60 + column * 240, y) + 9;
        }
        let y = 400;
        for (const [at, length] of [2, 3, 1, 2, 2].entries()) {
          pdf.text(`[${at}]`, 68, y);
          y = pdf.lines(lines(30 + at, length), 84, y) + 9;
        }
      });
      expect(markdown).not.toContain("|");
    });
  });

  it("parts heads of columns that stand as close together as words", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Quay", 60, 80).text("Vessels 2022 Vessels 2023 Change", 200, 80);
      for (const [index, row] of ["1,204 1,377 14", "877 902 3", "312 455 46"].entries()) {
        pdf.text(`Quay ${index}`, 60, 100 + index * 20);
        for (const [column, cell] of row.split(" ").entries()) pdf.text(cell, 200 + column * 58, 100 + index * 20);
      }
    });
    expect(markdown).toContain("| Quay | Vessels 2022 | Vessels 2023 | Change |\n| --- |");
  });

  it("reads pages with numbers of equations, which stand to the right of all columns", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(prose(1, 5), 60, 80, 450);
      for (const [index, name] of ["first", "second", "third"].entries()) {
        const y = 180 + index * 24;
        pdf.text(`${name} of all`, 100, y).text("equals", 200, y).text("another one", 260, y);
      }
      pdf.text("the last of all", 100, 252).text("(17) on the margin", 420, 252);
    });
    expect(markdown).toContain("third of all");
    expect(markdown).toContain("(17) on the margin");
  });
});

describe("tagged files", () => {
  it("a file printed by a browser: headings, nested lists without drawn marks, tables, code, note, link", async () => {
    const fixture = (name: string) => readFile(new URL(`./fixtures/pdf/${name}`, import.meta.url));
    const { markdown, metadata } = await readPdf(await fixture("handbook.pdf"));
    expect(markdown).toBe((await fixture("handbook.md")).toString().trim());
    expect(metadata).toMatchObject({ title: "Handbook of Lighthouse Keeping", language: "en" });
  });

  it("goes on in the next column with what a column ends in the middle of", async () => {
    const [left, right] = [72, 320];
    const file = taggedPdf([
      {
        role: "P",
        lines: [
          [left, 700, "Lamps are lit at dusk by the keeper, who climbs"],
          [left, 686, "the stairs."],
        ],
      },
      {
        role: "LI",
        lines: [
          [left, 650, "The oil is filled up before the evening, and"],
          [right, 700, "again at midnight in winter."],
        ],
      },
      {
        role: "H2",
        lines: [
          [left, 620, "Of fog and what is to be"],
          [right, 672, "done in it"],
        ],
      },
      {
        role: "P",
        lines: [
          [left, 590, "In fog the bell is rung twice a minute, as"],
          [left, 576, "long as the far shore is not seen, and the"],
          [right, 644, "lamp stays lit by day."],
        ],
      },
    ]);
    expect((await readPdf(file)).markdown).toBe(
      [
        "Lamps are lit at dusk by the keeper, who climbs the stairs.",
        "- The oil is filled up before the evening, and again at midnight in winter.",
        "## Of fog and what is to be done in it",
        "In fog the bell is rung twice a minute, as long as the far shore is not seen, and the lamp stays lit by day.",
      ].join("\n\n"),
    );
  });

  it("goes on with an item on the next page, which shows no mark there", async () => {
    const item = (x: number, ...lines: string[]) => ({
      role: "LI",
      lines: lines.map((text, line): [number, number, string] => [x, 700 - line * 14, text]),
    });
    const low = (...lines: string[]) => ({
      role: "LI",
      lines: lines.map((text, line): [number, number, string] => [72, 140 - line * 14, text]),
    });
    const numbered = taggedPdf(
      [item(72, "1. The lamp is lit."), low("2. The glass is wiped with a cloth that is")],
      [item(72, "not wet, and the brass is rubbed."), low("3. The book is kept.")],
    );
    expect((await readPdf(numbered)).markdown).toBe(
      "1. The lamp is lit.\n2. The glass is wiped with a cloth that is not wet, and the brass is rubbed.\n3. The book is kept.",
    );
    const bare = taggedPdf(
      [item(72, "The lamp is lit."), low("The glass of the lamp is wiped with", "a cloth that is clean and not very")],
      [item(72, "wet."), low("rags and oil")],
    );
    expect((await readPdf(bare)).markdown).toBe(
      "- The lamp is lit.\n- The glass of the lamp is wiped with a cloth that is clean and not very wet.\n- rags and oil",
    );
    const apart = taggedPdf([item(72, "a cloth"), low("a brush")], [item(72, "rags"), low("oil")]);
    expect((await readPdf(apart)).markdown).toBe("- a cloth\n- a brush\n- rags\n- oil");
  });
});

describe("scripts", () => {
  it.each([
    ["UniGB-UCS2-H", "GB1", "4e2d65876d4b8bd5", "中文测试"],
    ["GBK-EUC-H", "GB1", "d6d0cec420616263", "中文 abc"],
    ["ETen-B5-H", "CNS1", "a4a4a4e5b4fab8d5", "中文測試"],
    ["90ms-RKSJ-H", "Japan1", "93fa967b8ceab6c5", "日本語ｶﾅ"],
    ["EUC-H", "Japan1", "c6fccbdcb8eca4ab", "日本語か"],
    ["H", "Japan1", "467c4b5c386c", "日本語"],
    ["UniJIS-UTF16-H", "Japan1", "65e5672cd842dfb7", "日本𠮷"],
    ["KSCms-UHC-H", "Korea1", "c7d1b1b9beee20616263", "한국어 abc"],
  ])("reads fonts that are not in the file, in %s", async (encoding, collection, codes, text) => {
    expect((await readPdf(foreignFontPdf(encoding, collection, codes))).markdown).toBe(text);
  });

  it("puts accents that are drawn over a letter, or under it, on that letter", async () => {
    const bytes = rawPdf([
      ...onePage("/Font<</F1 5 0 R>>"),
      // Acute, then the letter under it; a letter, then its cedilla and a tilde over the next; signs that stand alone;
      // a letter without its dot; the higher accents of capitals, as TeX draws them; one that begins a line, over the
      // middle of a letter that is wider.
      stream(
        "BT /F1 12 Tf 1 0 0 1 72 720 Tm (Poincar\xb4) Tj 1 0 0 1 113.3 720 Tm (e and others) Tj " +
          "1 0 0 1 72 640 Tm (fac) Tj 1 0 0 1 84 640 Tm (\xb8) Tj 1 0 0 1 88 640 Tm (\x98) Tj 1 0 0 1 87 640 Tm (ade) Tj " +
          "1 0 0 1 72 560 Tm (a \xa8 b) Tj " +
          "1 0 0 1 72 480 Tm (na\x01) Tj 1 0 0 1 85 480 Tm (\xa8) Tj 1 0 0 1 88.7 480 Tm (ve) Tj " +
          "1 0 0 1 74.3 403 Tm (\xa8) Tj 1 0 0 1 72 400 Tm (Uber die R) Tj 1 0 0 1 129.3 403 Tm (\xb4) Tj 1 0 0 1 127.3 400 Tm (EGION) Tj " +
          "1 0 0 1 72.4 320 Tm (\xa8) Tj 1 0 0 1 72 320 Tm (uber Universit\xa8) Tj 1 0 0 1 145.5 320 Tm (aten) Tj ET",
      ),
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/dotlessi]>>>>",
    ]);
    const { markdown } = await readPdf(bytes);
    expect(blocksOf(markdown)).toEqual([
      "Poincar\u00e9 and others",
      "fa\u00e7\u00e3de",
      "a \u00a8 b",
      "na\u00efve",
      "\u00dcber die R\u00c9GION",
      "\u00fcber Universit\u00e4ten",
    ]);
  });

  it("leaves out letters that the file calls U+0000", async () => {
    const map = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0000> endbfchar";
    const bytes = rawPdf([
      ...onePage("/Font<</F1 5 0 R>>"),
      stream("BT /F1 12 Tf 72 720 Td (an Aisland) Tj 0 -60 Td (A) Tj ET"),
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
      stream(`begincmap ${map} endcmap`),
    ]);
    expect(await readPdf(bytes)).toMatchObject({ markdown: "an island" });
  });

  describe("Arabic", () => {
    const letters = ["\u0628", "(", ")", "\u0661", "\u0662", "\ufe70", "\u0648", "\u00ab", "\u00bb"];
    const hex = (value: number, digits: number) => `<${value.toString(16).padStart(digits, "0")}>`;
    const map = letters.map((letter, index) => `${hex(0x41 + index, 2)} ${hex(letter.charCodeAt(0), 4)}`).join(" ");
    const at = (x: number, y: number, text: string) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj `;
    /** `drawn`: letters as they stand on the page, from left to right: A is the first of the list. */
    const arabicPdf = (...drawn: string[]) =>
      rawPdf([
        ...onePage("/Font<</F1 5 0 R>>"),
        stream(`BT /F1 12 Tf ${drawn.join("")}ET`),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        stream(
          `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${letters.length} beginbfchar ${map} endbfchar endcmap`,
        ),
      ]);

    it("is read from right to left: brackets the other way round, vowel signs, numbers", async () => {
      // The last is nothing but digits.
      const bytes = arabicPdf(at(72, 720, "AABGAAAC"), at(72, 640, "HAFAI"), at(72, 560, "DE"));
      const { markdown, warning } = await readPdf(bytes);
      expect({ blocks: blocksOf(markdown), warning }).toEqual({
        blocks: ["(\u0628\u0628\u0628\u0648)\u0628\u0628", "\u00ab\u0628\u064b\u0628\u00bb", "\u0661\u0662"],
        warning: undefined,
      });
    });

    it("has the first column of a table at the right", async () => {
      const rows = [720, 700, 680].map((y) => at(72, y, "DE") + at(200, y, "GG") + at(300, y, "AAA"));
      const row = "| \u0628\u0628\u0628 | \u0648\u0648 | \u0661\u0662 |";
      expect((await readPdf(arabicPdf(...rows))).markdown).toBe([row, "| --- | --- | --- |", row, row].join("\n"));
    });
  });

  it.each([
    ["GB1", "03ac125700600022", "\u554a\u4e8d A"],
    ["CNS1", "0253176c00630022", "\u4e00\u4e42 A"],
    ["Japan1", "0465034a01470022", "\u4e9c\u3041\uff61A"],
    ["Korea1", "043e24750d6c0022", "\uac00\uac02\u4f3dA"],
  ])("reads fonts that name the glyphs of the collection %s, and no letters", async (collection, codes, text) => {
    const { markdown, warning } = await readPdf(foreignFontPdf("Identity-H", collection, codes));
    expect({ markdown, warning }).toEqual({ markdown: text, warning: undefined });
  });

  it.each([
    [
      "UniJIS-UCS2-V",
      ["65e5672c8a9e306f30014e00756a", "53f365874e8c756afe12"],
      "\u65e5\u672c\u8a9e\u306f\u3001\u4e00\u756a\u53f3\u6587\u4e8c\u756a\u3002",
    ],
    ["Identity-V", ["04651ecf0465", "04660466"], "\u4e9c\u3001\u4e9c\u5516\u5516"],
  ])("reads lines that run downwards from right to left, in %s", async (encoding, lines, text) => {
    expect((await readPdf(foreignFontPdf(encoding, "Japan1", ...lines))).markdown).toBe(text);
  });

  it("says so when it cannot know which letters are meant", async () => {
    const { markdown, warning } = await readPdf(foreignFontPdf("Identity-H", "GB1", "03ac2904"));
    expect(markdown).toBe("\u554a\ufffd");
    expect(warning).toContain("may be garbled");
  });
});

describe("headers and footers", () => {
  it("are left out, with the numbers of pages", async () => {
    const markdown = await markdownOf((pdf) => {
      for (let page = 1; page <= 6; page++) {
        if (page > 1) pdf.page();
        pdf.text("Annual Report of the Society", 60, 40, { size: 8 });
        pdf.text(page % 2 === 0 ? "Even side" : "Odd side", 450, 40, { size: 8 });
        pdf.paragraph(prose(page, 30), 60, 80, 450);
        pdf.text(`Page ${page} of 6`, 280, 815, { size: 8 });
      }
    });
    expect(blocksOf(markdown)).toEqual([1, 2, 3, 4, 5, 6].map((seed) => prose(seed, 30)));
  });

  it("stay on the first page where they are the title", async () => {
    const markdown = await markdownOf((pdf) => {
      for (let page = 1; page <= 4; page++) {
        if (page > 1) pdf.page();
        pdf.text("Official results of the count", 60, 40, { size: 16 }).text("Board of elections", 60, 60);
        pdf.paragraph(prose(page, 30), 60, 180, 450);
      }
    });
    expect(markdown.match(/Official results|Board/g)).toEqual(["Official results"]);
  });

  it("are the titles of slides, which are read once each, however often the slide is shown", async () => {
    const markdown = await markdownOf((pdf) => {
      for (let page = 0; page < 9; page++) {
        if (page > 0) pdf.page();
        pdf.text(["Harbours", "Lagoons", "Meadows"][Math.floor(page / 3)]!, 60, 60, { size: 20 });
        for (let item = 0; item <= page % 3; item++)
          pdf.text(`•  ${words[page - (page % 3) + item]}`, 60, 200 + item * 80);
        pdf.text("A talk about islands", 60, 820, { size: 8 });
      }
    });
    expect(markdown.match(/^# .*/gm)).toEqual(["# Harbours", "# Lagoons", "# Meadows"]);
    expect(markdown).not.toContain("A talk");
  });

  it("stay when they are no such thing: one page, or titles that differ", async () => {
    const markdown = await markdownOf((pdf) => {
      for (let page = 1; page <= 4; page++) {
        if (page > 1) pdf.page();
        pdf.text(`${words[page]} chapter`, 60, 60, { size: 20 });
        pdf.paragraph(prose(page, 8), 60, 90, 450);
      }
    });
    expect(markdown.match(/^# .*/gm)).toEqual([1, 2, 3, 4].map((page) => `# ${words[page]} chapter`));
  });

  it("are no rows of tables: neither numbers that count along by chance, nor heads that all pages repeat", async () => {
    const rows = (page: number) => Array.from({ length: 60 }, (_, row) => row + (page - 1) * 60);
    const markdown = await markdownOf((pdf) => {
      for (let page = 1; page <= 4; page++) {
        if (page > 1) pdf.page();
        pdf.text("Station", 60, 50).text("Keeper", 200, 50).text("Lamps", 340, 50);
        for (const [index, row] of rows(page).entries()) {
          // The last row of the first and the last page count along with them.
          const station = index === 59 ? `Lamp ${page}` : `Lamp ${words[row % 15]}`;
          const y = 64 + index * 12.7;
          pdf.text(page === 2 || page === 3 ? `Lamp ${words[row % 15]}` : station, 60, y).text(`Keeper ${row}`, 200, y);
          pdf.text(words[row % 13]!, 340, y);
        }
      }
    });
    expect(markdown.split("\n")[0]).toBe("| Station | Keeper | Lamps |");
    expect(markdown.match(/Station/g)).toHaveLength(1);
    expect(markdown.match(/Lamp 1 |Lamp 4 /g)).toHaveLength(2);
  });

  it.each([
    ["Hello from page #", 72],
    ["Page # of the document", 800],
    ["Hello world", 60],
    ["Heading\nBody text of page #", 60],
  ])("stay when the pages hold nothing else: %j", async (text, y) => {
    const linesOf = (page: number) => text.replace("#", String(page)).split("\n");
    const markdown = await markdownOf((pdf) => {
      for (let page = 1; page <= 3; page++) {
        if (page > 1) pdf.page();
        pdf.lines(linesOf(page), 72, y, { leading: 30 });
      }
    });
    expect(markdown.split("\n\n")).toEqual([1, 2, 3].flatMap(linesOf));
  });
});

describe("numbers of lines", () => {
  const lines = prose(3, 40)
    .match(/.{40,60}(?= )/g)!
    .slice(0, 24);

  it("are left out on both sides, also beside empty lines and notes", async () => {
    const markdown = await markdownOf((pdf) => {
      lines.forEach((line, index) => {
        const y = 80 + index * 24;
        pdf
          .text(line.trim(), 120, y)
          .text(`${index * 2 + 1}`, 90, y)
          .text(`${index * 2 + 2}`, 90, y + 12);
        pdf.text(`${index + 100}`, 520, y);
      });
      pdf.text("A note", 40, 200);
    });
    expect(markdown).not.toMatch(/\b(?:11|48|101|123)\b/);
    for (const line of lines) expect(markdown).toContain(line.trim().split(" ")[3]);
  });

  it("are no numbers that do not count on", async () => {
    const markdown = await markdownOf((pdf) => {
      lines.forEach((line, index) => {
        pdf.text(`${300 + ((index * 7) % 24)}`, 90, 80 + index * 24).text(line.trim(), 120, 80 + index * 24);
      });
    });
    for (let number = 300; number < 324; number++) expect(markdown).toContain(`${number}`);
  });

  it("are not what numbers the rows of a table", async () => {
    const markdown = await markdownOf((pdf) => {
      for (let rank = 1; rank <= 40; rank++) {
        pdf.text(`${rank}`, 60, 60 + rank * 15).text(`Place ${rank * 7}`, 100, 60 + rank * 15);
        pdf.text(`${900 - rank}`, 300, 60 + rank * 15);
      }
    });
    expect(markdown).toContain("| 17 | Place 119 | 883 |");
  });
});

describe("forms", () => {
  it("keep what was filled in, where it was filled in", async () => {
    const pdf = await PdfBuilder.start();
    pdf.text("Application", 60, 80, { size: 20 });
    for (const [index, label] of ["Name:", "Canton:", "Remarks:", "PIN:"].entries())
      pdf.text(label, 60, 140 + index * 40);
    const form = pdf.document.getForm();
    const place = (row: number) => ({ x: 120, y: pageHeight - 144 - row * 40, width: 200, height: 18 });
    const name = form.createTextField("name");
    name.setText("Jane Doe");
    name.addToPage(pdf.current, { ...place(0), height: 14 });
    const canton = form.createDropdown("canton");
    canton.addOptions(["Basel", "Bern"]);
    canton.select("Bern");
    canton.addToPage(pdf.current, { ...place(1), height: 14 });
    const remarks = form.createTextField("remarks");
    remarks.enableMultiline();
    remarks.setText("Comes by train.\nBrings two bags.");
    remarks.addToPage(pdf.current, { ...place(2), y: pageHeight - 260, height: 30 });
    const pin = form.createTextField("pin");
    pin.enablePassword();
    pin.setText("1234");
    pin.addToPage(pdf.current, place(3));
    canton.acroField.setOptions([{ value: PDFString.of("BE"), display: PDFString.of("Bern") }]);
    canton.acroField.dict.set(PDFName.of("V"), PDFString.of("BE"));
    const hidden = form.createTextField("hidden");
    hidden.setText("Not to be seen");
    hidden.addToPage(pdf.current, { ...place(4), hidden: true });
    const markdown = (await readPdf(await pdf.bytes())).markdown;
    expect(markdown).toMatch(
      /Name:\W+Jane Doe\W+Canton:\W+Bern\W+Remarks:\W+Comes by train\.\W+Brings two bags\.\W+PIN:\W*$/,
    );
    expect(markdown).toMatch(/^# Application\n/);
  });

  it("that are only drawn keep what was typed over them, and no comments", async () => {
    const pdf = await PdfBuilder.start();
    for (const [index, label] of ["Name:", "Remarks:", "Date:"].entries()) pdf.text(label, 60, 140 + index * 40);
    const { context } = pdf.document;
    const note = (Subtype: string, row: number, text: string, flags = 0) =>
      context.obj({
        Type: "Annot",
        Subtype,
        F: flags,
        Rect: [120, pageHeight - 160 - row * 40, 320, pageHeight - 132 - row * 40],
        Contents: PDFString.of(text),
        DA: PDFString.of("/Helv 10 Tf 0 g"),
      });
    const notes = [
      note("FreeText", 0, "Jane Doe"),
      note("FreeText", 1, "Comes by train.\\rBrings two bags."),
      note("FreeText", 2, "Hidden", 2),
      note("Text", 2, "Ask her for the date."),
    ];
    pdf.current.node.set(PDFName.of("Annots"), context.obj(notes));
    const { markdown } = await readPdf(await pdf.bytes());
    expect(markdown).toMatch(/^\W*Name:\W+Jane Doe\W+Remarks:\W+Comes by train\.\W+Brings two bags\.\W+Date:\W*$/);
  });

  it("keep which boxes are checked, and which of several is chosen", async () => {
    const pdf = await PdfBuilder.start();
    const form = pdf.document.getForm();
    const box = (row: number) => ({ x: 60, y: pageHeight - 142 - row * 30, width: 12, height: 12 });
    for (const [row, label] of ["I agree to the terms", "I want letters", "By train", "By boat"].entries()) {
      pdf.text(label, 80, 140 + row * 30);
    }
    const terms = form.createCheckBox("terms");
    terms.addToPage(pdf.current, box(0));
    terms.check();
    form.createCheckBox("letters").addToPage(pdf.current, box(1));
    const travel = form.createRadioGroup("travel");
    travel.addOptionToPage("train", pdf.current, box(2));
    travel.addOptionToPage("boat", pdf.current, box(3));
    travel.select("boat");
    const { markdown } = await readPdf(await pdf.bytes());
    expect(markdown).toBe("☑ I agree to the terms\n\nI want letters\n\nBy train\n\n☑ By boat");
  });
});

describe("links and metadata", () => {
  it("makes links of the areas that open an address", async () => {
    const pdf = await PdfBuilder.start();
    const before = "Read the ";
    const link = "manual of the program";
    pdf.text(`${before}${link} before you start.`, 60, 100);
    pdf.link("https://site.test/manual?a=(1)", 60 + pdf.widthOf(before), 90, pdf.widthOf(link), 14);
    pdf.link("https://site.test/empty", 400, 400, 50, 20);
    const { markdown, links } = await readPdf(await pdf.bytes());
    expect(markdown).toBe("Read the [manual of the program](https://site.test/manual?a=%281%29) before you start.");
    expect(links).toEqual(["https://site.test/manual?a=(1)", "https://site.test/empty"]);
  });

  it("keeps links side by side apart, in whatever order the file names them", async () => {
    const pdf = await PdfBuilder.start();
    const [first, between, second] = ["the first part", " and ", "the second part"];
    pdf.text(`${first}${between}${second}`, 60, 100);
    pdf.link("https://site.test/2", 60 + pdf.widthOf(first + between), 90, pdf.widthOf(second), 14);
    pdf.link("https://site.test/1", 60, 90, pdf.widthOf(first), 14);
    expect((await readPdf(await pdf.bytes())).markdown).toBe(
      "[the first part](https://site.test/1) and [the second part](https://site.test/2)",
    );
  });

  it("gives title, author, language and times, but not a file's name as its title", async () => {
    const pdf = await PdfBuilder.start();
    pdf.text("text", 60, 100);
    pdf.document.setTitle("On Lighthouses");
    pdf.document.setAuthor("Ann\0 Author");
    pdf.document.setSubject("About light");
    pdf.document.setKeywords(["light", "sea"]);
    pdf.document.setLanguage("en-GB");
    pdf.document.setCreationDate(new Date("2024-02-03T04:05:06Z"));
    pdf.document.setModificationDate(new Date("2025-02-03T04:05:06Z"));
    const { metadata, numPages } = await readPdf(await pdf.bytes());
    expect(numPages).toBe(1);
    expect(metadata).toMatchObject({
      title: "On Lighthouses",
      author: "Ann Author",
      description: "About light",
      keywords: "light sea",
      language: "en-GB",
      publishedTime: "2024-02-03T04:05:06Z",
      modifiedTime: "2025-02-03T04:05:06Z",
    });
    pdf.document.setTitle("report_final.docx");
    pdf.document.setAuthor("(anonymous)");
    pdf.document.setSubject("unspecified");
    const { metadata: rest } = await readPdf(await pdf.bytes());
    for (const field of ["title", "author", "description"]) expect(rest).not.toHaveProperty(field);
  });

  it("cuts no character of a long title in half", async () => {
    const pdf = await PdfBuilder.start();
    pdf.text("text", 60, 100);
    pdf.document.setTitle(`a${"\u{1f6a2}".repeat(1_500)}`);
    const title = String((await readPdf(await pdf.bytes())).metadata["title"]);
    expect({ isWhole: title.isWellFormed(), length: title.length }).toEqual({ isWhole: true, length: 2_000 });
  });
});

describe("files that cannot be read as they are", () => {
  const simple = async (objects = true) => {
    const pdf = await PdfBuilder.start();
    pdf.paragraph(prose(1, 4), 60, 80, 450);
    return { pdf, bytes: await pdf.bytes({ objects }) };
  };

  it("refuses what is no PDF file", async () => {
    const failure = readPdf(new Uint8Array(Buffer.from("<html>no</html>")));
    await expect(failure).rejects.toBeInstanceOf(ScrapeError);
    await expect(failure).rejects.toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
  });

  it("says that a password is needed, and reads what opens without one", async () => {
    const locked = await readPdf(encryptedPdf("secret words", "key"));
    expect(locked).toMatchObject({ markdown: "", numPages: 0, warning: expect.stringContaining("password") });
    const open = await readPdf(encryptedPdf("open words", ""));
    expect(open.markdown).toBe("open words");
    expect(open).not.toHaveProperty("warning");
  });

  it("reads a file whose table of objects is wrong or missing", async () => {
    const { bytes } = await simple(false);
    const text = Buffer.from(bytes).toString("latin1");
    const wrong = text.replace(/startxref\s+\d+/, "startxref\n5");
    const none = text.slice(0, text.lastIndexOf("xref\n0"));
    for (const broken of [wrong, none]) {
      const { markdown } = await readPdf(new Uint8Array(Buffer.from(broken, "latin1")));
      expect(markdown).toBe(prose(1, 4));
    }
  });

  it("says that a file is damaged, wherever it is cut", async () => {
    const { bytes } = await simple();
    for (let part = 1; part < 10; part++) {
      const result = await readPdf(bytes.slice(0, Math.floor((bytes.length * part) / 10)));
      if (result.markdown === "") expect(result.warning).toMatch(/damaged|no text/);
    }
    const garbage = await readPdf(new Uint8Array(Buffer.from(`%PDF-1.7\n${"garbage ".repeat(1_000)}`)));
    expect(garbage).toMatchObject({ markdown: "", numPages: 0, warning: expect.stringContaining("damaged") });
  });

  it("says that a scan holds no text", async () => {
    const pdf = await PdfBuilder.start();
    const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    pdf.current.drawImage(await pdf.document.embedPng(dot), { x: 0, y: 0, width: 595, height: 842 });
    const result = await readPdf(await pdf.bytes());
    expect(result).toMatchObject({ markdown: "", numPages: 1, warning: expect.stringContaining("no text") });
  });

  it("leaves the caller's bytes as they are", async () => {
    const { bytes } = await simple();
    const before = Buffer.from(bytes).toString("base64");
    await readPdf(bytes);
    expect(Buffer.from(bytes).toString("base64")).toBe(before);
  });
});

describe("large and hostile files", () => {
  it("reads 96 pages and gives the event loop its turns", async () => {
    const pdf = await PdfBuilder.start();
    for (let page = 1; page <= 96; page++) {
      if (page > 1) pdf.page();
      pdf.paragraph(prose(page, 25), 60, 80, 450);
    }
    const bytes = await pdf.bytes();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { markdown, numPages } = await readPdf(bytes);
    clearInterval(timer);
    expect(numPages).toBe(96);
    expect(blocksOf(markdown)).toEqual(Array.from({ length: 96 }, (_, index) => prose(index + 1, 25)));
    expect(turns).toBeGreaterThan(20);
  });

  it("stops when it is aborted", async () => {
    const pdf = await PdfBuilder.start();
    for (let page = 1; page <= 60; page++) pdf.page().paragraph(prose(page, 25), 60, 80, 450);
    const bytes = await pdf.bytes();
    const reason = new Error("enough");
    await expect(readPdf(bytes, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const reading = readPdf(bytes, controller.signal);
    setTimeout(() => controller.abort(reason), 5);
    await expect(reading).rejects.toBe(reason);
  });

  it("survives a line that is almost an entry of an index", async () => {
    const pdf = await PdfBuilder.start();
    pdf.text(`${"a".repeat(5000)}${", 1".repeat(5000)}x`, 60, 40, { size: 0.01 });
    const { markdown } = await readPdf(await pdf.bytes());
    expect(markdown).toContain(", 1, 1x");
  });

  it("survives thousands of words side by side, each a little lower than the one before", async () => {
    const content = Array.from({ length: 3_900 }, (_, at) => `1 0 0 1 ${at * 100} ${700 - at * 0.001} Tm (word) Tj`);
    const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400000 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>";
    const started = cpuTime();
    await readPdf(
      rawPdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        `<</Type/Pages/Kids[${"3 0 R ".repeat(4)}]/Count 4>>`,
        page,
        stream(`BT /F1 12 Tf ${content.join(" ")} ET`),
        helvetica,
      ]),
    );
    expect(cpuTime() - started).toBeLessThan(8_000);
  });

  it("survives a page of 100,000 pieces of text", async () => {
    const pdf = await PdfBuilder.start();
    pdf.text("start", 60, 40);
    const content = Array.from(
      { length: 100_000 },
      (_, at) => `1 0 0 1 ${(at * 37) % 590} ${(at * 91) % 840} Tm (x${at % 97}) Tj`,
    );
    const stream = pdf.document.context.flateStream(`BT /F 8 Tf ${content.join(" ")} ET`);
    const node = pdf.current.node;
    const fonts = node.Resources()!.lookup(PDFName.of("Font")) as unknown as {
      keys(): PDFName[];
      get(key: PDFName): never;
    };
    (fonts as unknown as Map<PDFName, unknown>).set(PDFName.of("F"), fonts.get(fonts.keys()[0]!));
    node.addContentStream(pdf.document.context.register(stream));
    const started = cpuTime();
    const { markdown } = await readPdf(await pdf.bytes());
    expect(markdown).toContain("start");
    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it("survives outlines that are deep or go round in a circle", async () => {
    const pdf = await PdfBuilder.start();
    pdf.paragraph(prose(1, 3), 60, 80, 450);
    pdf.outline(Array.from({ length: 3_000 }, (_, depth) => ({ title: `Level ${depth}`, depth })));
    expect((await readPdf(await pdf.bytes())).markdown).toBe(prose(1, 3));

    const context = pdf.document.context;
    const [one, two] = [context.nextRef(), context.nextRef()];
    context.assign(one, context.obj({ Title: "One", Next: two, First: two, Parent: two }));
    context.assign(two, context.obj({ Title: "Two", Next: one, First: one, Parent: one }));
    pdf.document.catalog.set(PDFName.of("Outlines"), context.obj({ First: one, Last: two }));
    expect((await readPdf(await pdf.bytes())).markdown).toBe(prose(1, 3));
  });

  it("stops at a page of forms within forms that would never end, and can be aborted in it", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 100);
    await expect(readPdf(formBomb(12, 10), controller.signal)).rejects.toBe(reason);
  });

  it("reads a line of more pieces than a function takes arguments, and says where a page is too long", async () => {
    const pieces = Array.from({ length: 200_100 }, (_, at) => `1 0 0 1 50 400 Tm (${at}) Tj`);
    const bytes = rawPdf([...onePage("/Font<</F1 5 0 R>>"), stream(`BT /F1 10 Tf ${pieces.join(" ")} ET`), helvetica]);
    const { markdown, warning } = await readPdf(bytes);
    expect(markdown).toContain("129999");
    expect(warning).toMatch(/page 1 could not be read in full/);
  });

  it("does not believe a file that claims a billion pages", async () => {
    const pdf = await PdfBuilder.start();
    pdf.paragraph(prose(1, 3), 60, 80, 450);
    const bytes = await pdf.bytes({ objects: false });
    const text = Buffer.from(bytes).toString("latin1");
    const lying = text.replace(/\/Count 1\b/, "/Count 999999999");
    expect(lying).not.toBe(text);
    const result = await readPdf(new Uint8Array(Buffer.from(lying, "latin1")));
    expect(result.markdown).toBe(prose(1, 3));

    const negative = text.replace(/\/Count 1\b/, "/Count -1");
    expect(await readPdf(new Uint8Array(Buffer.from(negative, "latin1")))).toMatchObject({ numPages: 0 });
  });
});
