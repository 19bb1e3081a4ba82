import { describe, expect, it } from "vitest";
import { markdownOf, type PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const sentence = "The harbour of the island lies behind the meadow, where the lagoon meets the grove of cedars.";

describe("tables of contents", () => {
  const drawEntries = (pdf: PdfBuilder, entries: readonly (readonly [string, string, string])[]) => {
    for (const [index, [number, title, page]] of entries.entries()) {
      const y = 120 + index * 18;
      pdf.text(number, 60, y, { face: "bold" }).text(title, 85, y, { face: "bold" });
      pdf.text(page, 500 - page.length * 5.56, y, { face: "bold" });
    }
  };

  it("may have dots at half the height of the letters", async () => {
    const titles = ["Lamps of the coast", "Keepers of the lamps", "Storms"];
    const markdown = await markdownOf((pdf) => {
      for (const [index, title] of titles.entries()) {
        pdf.text(`${title} ${"·".repeat(60 - title.length)} ${index * 7 + 1}`, 60, 100 + index * 14);
      }
    });
    expect(markdown).toBe(titles.map((title, index) => `- ${title} … ${index * 7 + 1}`).join("\n"));
  });

  it("end with their last entry, whatever the next page begins with", async () => {
    const markdown = await markdownOf((pdf) => {
      for (const [index, title] of ["Lamps", "Keepers", "Storms"].entries())
        pdf.text(`${title} ${". ".repeat(40)} ${index * 7 + 1}`, 60, 100 + index * 14);
      pdf.page().paragraph(`of all ${sentence}`, 60, 80, 400);
    });
    expect(markdown).toBe(`- Lamps … 1\n- Keepers … 8\n- Storms … 15\n\nof all ${sentence}`);
  });

  it("are lists without dots, too", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Contents", 60, 80, { size: 18 });
      drawEntries(pdf, [
        ["1", "Harbour", "3"],
        ["2", "The island and its lagoon", "8"],
        ["3", "Meadows", "8"],
        ["4", "Notes", "12"],
      ]);
      pdf.paragraph(sentence.repeat(6), 60, 300, 450);
    });
    expect(markdown).toContain(
      "# Contents\n\n- 1 Harbour 3\n- 2 The island and its lagoon 8\n- 3 Meadows 8\n- 4 Notes 12\n\nThe harbour",
    );
  });

  it("are one list where only some of the lines have dots", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Contents", 60, 80, { size: 18 });
      drawEntries(pdf, [["1", "Harbour", "3"]]);
      pdf.text(`1.1  Island${" .".repeat(60)}`, 85, 138).text("4", 494.4, 138);
      pdf.text("2", 60, 156, { face: "bold" }).text("Meadows", 85, 156, { face: "bold" });
      pdf.text("9", 494.4, 156, { face: "bold" });
      pdf.paragraph(sentence.repeat(6), 60, 300, 450);
    });
    expect(markdown).toContain("# Contents\n\n- 1 Harbour 3\n  - 1.1 Island … 4\n- 2 Meadows 9\n\nThe harbour");
  });

  it("have titles over several lines", async () => {
    const dots = (count: number) => " .".repeat(count);
    const markdown = await markdownOf((pdf) => {
      pdf.text("March 13, 2015", 60, 100).text(`1  Lamps of the coast${dots(66)} 3`, 60, 114);
      pdf.text(
        "2  What the keepers of the lamps said about storms, and about the islands behind the lagoon, in let-",
        60,
        128,
      );
      pdf.text(`ters to their friends${dots(66)} 8`, 75, 142);
      pdf.text(
        "3  Which of the boats were lost in the storms of that winter, and which came home before the spring",
        60,
        156,
      );
      pdf.text(`Meadows${dots(72)} 12`, 75, 170).text(`4  Notes${dots(76)} 15`, 60, 184);
      pdf
        .text("5  Boats", 60, 198)
        .text("17", 494, 198)
        .text(`5.1  Sails${dots(70)} 18`, 75, 212);
    });
    const [second, third] = ["in letters to their friends … 8", "before the spring Meadows … 12"];
    expect(markdown).toBe(
      [
        "March 13, 2015\n\n- 1 Lamps of the coast … 3",
        `- 2 What the keepers of the lamps said about storms, and about the islands behind the lagoon, ${second}`,
        `- 3 Which of the boats were lost in the storms of that winter, and which came home ${third}`,
        "- 4 Notes … 15\n- 5 Boats 17\n  - 5.1 Sails … 18",
      ].join("\n"),
    );
  });

  it("are no rankings, which have a head", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.text("Rank", 60, 102).text("Name", 110, 102).text("Points", 480, 102);
      for (const [index, name] of ["Amber", "Basin", "Cedar", "Delta"].entries()) {
        const y = 120 + index * 18;
        pdf
          .text(String(index + 1), 60, y)
          .text(name, 110, y)
          .text(String(index * 7), 500, y);
      }
    });
    expect(markdown).toBe(
      "| Rank | Name | Points |\n| --- | --- | --- |\n| 1 | Amber | 0 |\n| 2 | Basin | 7 |\n| 3 | Cedar | 14 |\n| 4 | Delta | 21 |",
    );
  });
});

describe("indexes", () => {
  it("are read column after column, a term a line", async () => {
    const terms = ["amber, 4", "basin, 12, 17", "cedar, 3–5", "delta, 9", "ember, 1", "fjord, 22", "grove, 8, 9, 31"];
    const markdown = await markdownOf((pdf) => {
      pdf.text("Index", 60, 80, { size: 18 });
      for (const [index, term] of terms.entries()) {
        pdf.text(term, 60, 110 + index * 12);
        pdf.text(`${term.replace(",", " hill,")}`, 310, 110 + index * 12);
      }
    });
    const items = [...terms, ...terms.map((term) => term.replace(",", " hill,"))];
    expect(markdown).toBe(`# Index\n\n${items.map((term) => `- ${term}`).join("\n")}`);
  });
});

describe("indexes with dots", () => {
  /** The lines of a column: each is a term, dots that fill it, and page numbers that end at its edge. */
  const lines: readonly (readonly [string, string])[] = [
    ["amber", "4"],
    ["basin, old", "7, 9, 11, 17,"],
    ["", "30, 37, 41, 50"],
    ["cedar", "3, 5"],
    ["delta of the northern riv", "9"],
    ["embers of lamps lost once", ""],
    ["", "1"],
    ["fjord", "22"],
  ];
  const width = 150;

  const drawColumn = (pdf: PdfBuilder, place: string, left: number, face: "body" | "code") => {
    const size = face === "code" ? 7 : 10;
    for (const [index, [term, pages]] of lines.entries()) {
      const y = 160 + index * 12;
      if (term !== "") pdf.text(`${place} ${term}`, left, y, { size, face });
      const start = term === "" ? left + 25 : left + pdf.widthOf(`${place} ${term}`, { size, face });
      const end = left + width - pdf.widthOf(pages);
      const dots = pages === "" || index === 2 ? 0 : Math.floor((end - start - 10) / 6);
      for (let dot = 1; dot <= dots; dot++) pdf.text(".", end - dot * 6, y);
      pdf.text(pages, end, y);
    }
  };

  const entries = (place: string) => [
    `- ${place} amber … 4`,
    `- ${place} basin, old … 7, 9, 11, 17, 30, 37, 41, 50`,
    `- ${place} cedar … 3, 5`,
    `- ${place} delta of the northern riv … 9`,
    `- ${place} embers of lamps lost once … 1`,
    `- ${place} fjord … 22`,
  ];

  for (const face of ["body", "code"] as const) {
    it(`are read column after column, an entry with all its lines a line: ${face}`, async () => {
      const markdown = await markdownOf((pdf) => {
        pdf.paragraph(sentence.repeat(4), 60, 60, 330);
        drawColumn(pdf, "Isle", 60, face);
        drawColumn(pdf, "Cape", 235, face);
      });
      const [text, ...columns] = markdown.replaceAll("`", "").split("\n\n");
      expect(text).toMatch(/^The harbour/);
      const dotted = columns.join("\n").replace(/(?: \.)+ (?=\d)/g, " … ");
      expect(dotted).toBe([...entries("Isle"), ...entries("Cape")].join("\n"));
    });
  }

  it("keep the page numbers of short terms, far from which their dots begin", async () => {
    const terms = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "island", "jungle", "kernel"];
    const dots = (count: number) => " .".repeat(count);
    const markdown = await markdownOf((pdf) => {
      for (const [index, term] of terms.entries()) {
        const y = 100 + index * 12;
        if (index % 2 === 0) pdf.text(term, 50, y).text(`${dots(12)} ${index + 1}`, 190, y);
        else pdf.text(`${term}${dots(8)} ${index + 1}`, 50, y);
        pdf.text(`Cape ${term}${dots(10)} ${index + 1}`, 300, y);
      }
    });
    for (const [index, term] of terms.entries()) {
      for (const entry of [`- ${term} … ${index + 1} `, `Cape ${term} … ${index + 1}\n`]) {
        expect(`${markdown}\n`).toContain(entry);
      }
    }
  });
});

describe("page numbers without dots", () => {
  it("are a cell of a table that takes two lines", async () => {
    const rows = ["Building Keeper Rooms", "North Anna 101, 102,", "South Bo 201, 202,", "West Cy 301, 302"];
    const markdown = await markdownOf((pdf) => {
      for (const [index, row] of rows.entries()) {
        const [building, keeper, ...numbers] = row.split(" ");
        const y = 80 + index * 26;
        pdf.text(building!, 60, y).text(keeper!, 200, y).text(numbers.join(" "), 340, y);
        if (numbers[1]?.endsWith(",") === true) pdf.text(`${index}05, ${index}06`, 340, y + 12);
      }
    });
    expect(markdown).toBe(
      `| Building | Keeper | Rooms |\n| --- | --- | --- |\n| North | Anna | 101, 102, 105, 106 |
| South | Bo | 201, 202, 205, 206 |\n| West | Cy | 301, 302 |`,
    );
  });

  it("are no table of their own where they stand in columns within an index", async () => {
    const rows = ["403, 405, 407,", "409, 411, 413,", "415, 418, 422,", "426, 429, 432,"];
    const markdown = await markdownOf((pdf) => {
      const entries = ["amber", "basin", "cedar", "delta"].map((term) => `${term}${" .".repeat(40)} 401,`);
      pdf.lines(entries, 60, 80);
      for (const [index, row] of rows.entries()) {
        for (const [place, page] of row.split(" ").entries()) pdf.text(page, 75 + place * 70, 128 + index * 12);
      }
    });
    expect(markdown).not.toContain("|");
    expect(markdown).toContain("401, 403, 405, 407, 409,");
  });

  it("make no index of rows of numbers", async () => {
    const rows = ["Primes, in rows: 2, 3, 5, 7,", "11, 13, 17, 19,", "23, 29, 31, 37,", "41, 43, 47,", "53, 59, 61"];
    const markdown = await markdownOf((pdf) => pdf.lines(rows, 60, 80));
    expect(markdown).not.toMatch(/^-/m);
  });
});

describe("what is no table", () => {
  it("rows of code with text below them", async () => {
    const rows = ["Jan", "Feb", "Mar", "Apr"].map((month, index) => [month, `${index}.50`, `${index * 3}.25`]);
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(sentence.repeat(6), 60, 80, 450);
      for (const [index, cells] of rows.entries())
        for (const [at, cell] of cells.entries()) pdf.text(cell, 60 + at * 90, 200 + index * 12, { face: "code" });
      pdf.text("The harbour has", 60, 264).text("a column,", 150, 264).text("as it were.", 240, 264);
    });
    const code = rows.map(([first, ...others]) => `${first}            ${others.join("           ")}`).join("\n");
    expect(markdown).toContain(`\`\`\`\n${code}\n\`\`\`\n\nThe harbour has a column, as it were.`);
  });

  it("formulas over several lines", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(sentence.repeat(6), 60, 80, 450);
      for (const [y, signs] of [
        [200, ["(", ")", "(", ")"]],
        [214, ["amber =", "basin", "+", "cedar"]],
        [228, ["delta", "ember", "fjord", "(4)"]],
      ] as const)
        for (const [at, sign] of signs.entries()) pdf.text(sign, 100 + at * 70, y);
    });
    expect(markdown).not.toContain("|");
  });

  it("but a list of signs with their meanings is one", async () => {
    const markdown = await markdownOf((pdf) => {
      for (const [index, [sign, meaning]] of [
        ["=", "equals"],
        ["<", "is less than"],
        [">", "is more than"],
        ["|", "divides"],
      ].entries())
        pdf.text(sign!, 60, 100 + index * 18).text(meaning!, 120, 100 + index * 18);
    });
    expect(markdown).toBe(
      "| = | equals |\n| --- | --- |\n| < | is less than |\n| > | is more than |\n| \\| | divides |",
    );
  });
});

describe("listings with numbered lines", () => {
  const code = ["def harbour(island):", "    for meadow in island:", "", "        print(meadow, 7)", "harbour(grove)"];
  const drawCode = (pdf: PdfBuilder, top: number, numberAt: (index: number) => string) => {
    for (const [index, line] of code.entries()) {
      const indent = line.length - line.trimStart().length;
      const number = numberAt(index);
      if (number !== "") pdf.text(number, 66 - number.length * 3.9, top + index * 12, { size: 7 });
      if (line !== "") pdf.text(line.trim(), 70 + indent * 6, top + index * 12, { face: "code" });
    }
  };

  it("are code without the numbers, and go on counting after text", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(sentence.repeat(6), 60, 80, 450);
      drawCode(pdf, 200, (index) => String(index + 7));
      pdf.paragraph(sentence.repeat(2), 60, 300, 450);
      drawCode(pdf, 360, (index) => String(index + 12));
    });
    expect(markdown.match(/```\n[^`]*\n```/g)).toEqual(Array(2).fill(`\`\`\`\n${code.join("\n")}\n\`\`\``));
  });

  it("may have a number at some lines only", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(sentence.repeat(6), 60, 80, 450);
      for (let part = 0; part < 3; part++)
        drawCode(pdf, 200 + part * 60, (index) => (index === 4 ? String(part * 5 + 5) : ""));
    });
    expect(markdown).toContain(`\`\`\`\n${[...code, ...code, ...code].join("\n")}\n\`\`\``);
  });

  it("are no lists of names by their numbers, which stay", async () => {
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(sentence.repeat(6), 60, 80, 450);
      for (const [index, name] of ["E_OK", "E_BASIN", "E_CEDAR", "E_DELTA"].entries())
        pdf.text(String(index), 60, 200 + index * 14).text(name, 100, 200 + index * 14, { face: "code" });
    });
    expect(markdown).toContain("| 0 | `E_OK` |\n| --- | --- |\n| 1 | `E_BASIN` |");
  });
});
