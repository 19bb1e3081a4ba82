import { describe, expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const rest = [
  "made the day before, and the keeper of the light went down to the harbour to count",
  "the boats that had come back. None was missing. He wrote it down and went home.",
];

/** A page with an initial of 30 points and lines of 10 points beside it, then lines below it. */
async function markdownOf(initial: string, beside: readonly string[], top: number, below = rest): Promise<string> {
  const pdf = await PdfBuilder.start();
  const indent = pdf.widthOf(initial, { size: 30 }) + 2;
  pdf.text("The harbour in winter", 60, 60, { size: 16 });
  pdf.text(initial, 60, top, { size: 30 });
  pdf.lines(beside, 60 + indent, 100);
  pdf.lines(below, 60, 100 + 12 * beside.length);
  pdf.text("Another paragraph tells what became of them.", 60, 180);
  return (await readPdf(await pdf.bytes())).markdown;
}

const expected = (beside: readonly string[]) => [
  "# The harbour in winter",
  [...beside, ...rest].join(" "),
  "Another paragraph tells what became of them.",
];

describe("a large initial", () => {
  const lines = ["eepers of lamps were busy on this evening, because a storm was near and", "nothing had been"];

  it("begins the first of the lines beside it", async () => {
    const markdown = await markdownOf("K", lines, 112);
    expect(markdown.split("\n\n")).toEqual(expected([`K${lines[0]}`, lines[1]!]));
  });

  it("may stand out of the first line, or be a word by itself", async () => {
    const raised = await markdownOf("K", lines.slice(0, 1), 100);
    expect(raised.split("\n\n")).toEqual(expected([`K${lines[0]}`]));

    const word = ["keeper of lamps was busy on this evening, because a storm was near and", "nothing had been"];
    const markdown = await markdownOf("A", word, 112);
    expect(markdown.split("\n\n")).toEqual(expected([`A ${word[0]}`, word[1]!]));
  });

  it("counts once if it is drawn twice, or has an accent that is drawn by itself", async () => {
    const drawn = async (draw: (pdf: PdfBuilder) => void) => {
      const pdf = await PdfBuilder.start();
      pdf.text("The harbour in winter", 60, 60, { size: 16 });
      draw(pdf);
      pdf.lines(lines, 82, 100);
      pdf.lines(rest, 60, 124);
      return (await readPdf(await pdf.bytes())).markdown.split("\n\n")[1];
    };
    const twice = await drawn((pdf) => pdf.text("K", 60, 112, { size: 30 }).text("K", 60.4, 112, { size: 30 }));
    expect(twice).toBe([`K${lines[0]}`, lines[1], ...rest].join(" "));
    const accented = await drawn((pdf) => pdf.text("´", 64, 106, { size: 30 }).text("E", 60, 112, { size: 30 }));
    expect(accented).toBe([`É${lines[0]}`, lines[1], ...rest].join(" "));
  });

  it("does not begin a word within the first line, whose start is drawn over it", async () => {
    const pdf = await PdfBuilder.start();
    pdf.text("K", 60, 112, { size: 30 }).text("ee", 60, 100);
    pdf.lines(lines, 84, 100);
    pdf.lines(rest, 60, 124);
    expect((await readPdf(await pdf.bytes())).markdown).not.toContain("Keepers");
  });

  it("is no part of what begins with a word of its own", async () => {
    const markdown = await markdownOf("K", ["Keepers of lamps and light houses", "Kilometres of the coast"], 112);
    expect(markdown).not.toContain("KKeepers");
    expect(markdown).toContain("Keepers of lamps");
  });
});
