import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { markdownOf } from "./fixtures/pdf/build-pdf.ts";

const words =
  "amber basin cedar delta ember fjord grove harbour island jungle kernel lagoon meadow nectar orchard".split(" ");

/** A sentence of so many words, each time another. */
function sentence(seed: number, count: number): string {
  const picked = Array.from({ length: count }, (_, at) => words[(seed * 7 + at * (1 + (seed % 4))) % 15]!);
  return `Sentence ${seed} ${picked.join(" ")}.`;
}

const blocksOf = (markdown: string) => markdown.split("\n\n");

describe("columns", () => {
  it("are found where the text ends soon after the last begins", async () => {
    const [left, right] = [sentence(1, 330), sentence(2, 30)];
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(left, 60, 80, 225);
      pdf.paragraph(right, 310, 80, 225);
    });
    expect(blocksOf(markdown)).toEqual([left, right]);
  });

  it("may hold a drawing with many words, beside text", async () => {
    const [left, right] = [sentence(1, 330), sentence(2, 90)];
    const labels = Array.from({ length: 48 }, (_, index) => `${words[index % 15]}${index}`);
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(left, 60, 80, 225);
      for (const [index, label] of labels.entries()) {
        pdf.text(label, 330 + (index % 2) * 100, 80 + Math.floor(index / 2) * 12, { size: 6 });
      }
      pdf.paragraph(right, 310, 392, 225);
    });
    expect(blocksOf(markdown)[0]).toBe(left);
    expect(markdown).toContain(right);
  });

  it.each([
    ["a title that ends within the second column", 212, 300],
    ["one that begins at the end of the first", 262, 330],
  ])("may have few full lines among short ones, below %s", async (_, x, count) => {
    const [above, right] = [sentence(1, 60), sentence(2, count)];
    const markdown = await markdownOf((pdf) => {
      pdf.text("On the lamps of harbours", x, 70, { size: 14 });
      const y = pdf.paragraph(above, 72, 110, 229);
      for (const [index, item] of words.entries()) pdf.text(`• ${item} ${item}`, 79, y + 18 + index * 18);
      pdf.paragraph(right, 311, 115, 229);
    });
    const list = words.map((item) => `- ${item} ${item}`).join("\n");
    expect(blocksOf(markdown)).toEqual(["# On the lamps of harbours", above, list, right]);
  });

  it("are three below lines across all of them, though the last is mostly a list", async () => {
    const lines = JSON.parse(await readFile(new URL("fixtures/pdf/three-columns.json", import.meta.url), "utf8"));
    const markdown = await markdownOf((pdf) => {
      for (const [text, x, y, size] of lines) pdf.text(text, x, y, { size });
    });
    // As rows, they would be taken for a table.
    expect(markdown).not.toContain("|");
  });

  it("are found between lines across the page, above and below", async () => {
    const [above, left, right, below] = [sentence(1, 150), sentence(2, 80), sentence(3, 70), sentence(4, 280)];
    const markdown = await markdownOf((pdf) => {
      const start = pdf.paragraph(above, 60, 80, 470) + 6;
      const ends = [pdf.paragraph(left, 60, start, 225), pdf.paragraph(right, 305, start, 225)];
      pdf.paragraph(below, 60, Math.max(...ends) + 6, 470);
    });
    expect(blocksOf(markdown)).toEqual([above, left, right, below]);
  });

  it("are no cells of a table with long texts between lines across the page", async () => {
    const markdown = await markdownOf((pdf) => {
      const start = pdf.paragraph(sentence(1, 150), 60, 80, 470) + 6;
      for (let row = 0; row < 10; row++) {
        pdf.text(sentence(row + 10, 4), 60, start + row * 12).text(sentence(row + 30, 4), 305, start + row * 12);
      }
      pdf.paragraph(sentence(4, 280), 60, start + 126, 470);
    });
    expect(markdown).toContain(`| ${sentence(15, 4)} | ${sentence(35, 4)} |`);
  });

  it("are no halves of a statement, with words at the left and figures at the right", async () => {
    const rows = [
      ["Lamp oil sold", "¥ 233,512", "201,683"],
      ["Wicks and glasses sold", "(4,700)", "31"],
      ["Rent of the harbour", "12,000", "—"],
      ["Profit before tax", "8,250", "9,150"],
    ];
    const markdown = await markdownOf((pdf) => {
      pdf.lines(["Keepers of the Lamps", "and those who sail with them", "Years ended March 31"], 60, 80);
      pdf.lines(["Yen", "(millions)", "2020", "Yen", "(millions)", "2021"], 440, 66);
      for (const [row, cells] of rows.entries()) {
        for (const [column, x] of [60, 400, 480].entries()) pdf.text(cells[column]!, x, 160 + row * 20);
      }
      pdf.lines(["Signed for the keepers by", "the eldest of them, who has", "seen all of the books"], 60, 260);
      pdf.lines(["Fjord,", "in May", "(seal)", "(stamp)"], 440, 266);
    });
    expect(markdown).toContain(rows.map((cells) => `| ${cells.join(" | ")} |`)[3]);
  });

  it("may hold references, whose marks stand apart", async () => {
    const left = sentence(1, 330);
    const references = [2, 3, 4, 5].map((seed) => sentence(seed, 12));
    const markdown = await markdownOf((pdf) => {
      pdf.paragraph(left, 60, 80, 225);
      let y = 80;
      for (const [index, reference] of references.entries()) {
        pdf.text(`[${index + 1}]`, 310, y, { size: 8 });
        y = pdf.paragraph(reference, 328, y, 205, { size: 8 }) + 3;
      }
    });
    expect(blocksOf(markdown)).toEqual([left, ...references.map((text, index) => `[${index + 1}] ${text}`)]);
  });
});

describe("text with its number before it is no table", () => {
  it("in the clauses of a contract", async () => {
    const clauses = [1, 2, 3, 4].map((seed) => sentence(seed, 24));
    const markdown = await markdownOf((pdf) => {
      let y = 100;
      for (const [index, clause] of clauses.entries()) {
        pdf.text(`2.${index + 1}`, 60, y);
        y = pdf.paragraph(clause, 96, y, 420) + 10;
      }
    });
    expect(blocksOf(markdown)).toEqual(clauses.map((clause, index) => `2.${index + 1} ${clause}`));
  });

  it("in a heading before a paragraph whose lines are as wide, and formulas", async () => {
    const text = sentence(1, 30);
    const markdown = await markdownOf((pdf) => {
      pdf.text("2.2", 60, 100).text("later systems", 92, 100);
      const y = pdf.paragraph(text, 60, 112, 225);
      for (const row of [0, 1]) pdf.text("x =", 120, y + row * 12).text("y", 180, y + row * 12);
      pdf.paragraph(text, 60, y + 24, 225);
    });
    expect(markdown).not.toContain("|");
  });
});
