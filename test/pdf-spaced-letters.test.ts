// Titles and code whose letters are set apart come from the file in single letters.
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

const prose = "The harbour lies below the meadow, and its piers reach far out.";

async function markdownOf(...drawn: string[]): Promise<string> {
  const text = [600, 586, 572].map((y) => `/F1 11 Tf 0 Tc 1 0 0 1 72 ${y} Tm (${prose}) Tj`);
  const content = `BT ${[...drawn, ...text].join(" ")} ET`;
  return (await readPdf(rawPdf([...onePage("/Font<</F1 5 0 R>>"), stream(content), helvetica]))).markdown;
}

test("are closed up to words", async () => {
  const markdown = await markdownOf("/F1 22 Tf 6 Tc 1 0 0 1 72 700 Tm (CHAPTER ONE) Tj");
  expect(markdown.split("\n\n")[0]).toBe("# CHAPTER ONE");
});

test("stay apart where they follow on each other in the alphabet, or are few", async () => {
  const markdown = await markdownOf(
    "/F1 11 Tf 6 Tc 1 0 0 1 72 700 Tm (ABCDEFGH) Tj",
    "/F1 11 Tf 6 Tc 1 0 0 1 72 660 Tm (axe) Tj",
  );
  expect(markdown.split("\n\n").slice(0, 2)).toEqual(["A B C D E F G H", "a x e"]);
});

test("of code that is set in cells are closed up, line by line; real spaces stay, and so do tables of signs", async () => {
  const lines = [
    "trim{wick;%",
    "light{lamp=1}",
    "count{oil;three;%}",
    "lower{crane=no} till;",
    "raise{flag;%}",
    "close{gate=2}",
  ];
  const words = (line: string, y: number) => {
    let x = 72;
    return line.split(" ").map((word) => {
      const drawn = `/F1 10 Tf 1.2 Tc 1 0 0 1 ${x} ${y} Tm (${word}) Tj`;
      x += word.length * 6.4 + 6;
      return drawn;
    });
  };
  const code = lines.flatMap((line, index) => words(line, 760 - index * 12));
  const markdown = await markdownOf(...code, `/F1 10 Tf 0 Tc 1 0 0 1 72 660 Tm (${prose}) Tj`);
  expect(markdown.replace(/\s+/g, " ")).toContain(lines.join(" "));
  expect(markdown.split(prose)).toHaveLength(5);
  const leaders = [0, 1, 2].map((row) => `/F1 10 Tf 1.2 Tc 1 0 0 1 72 ${760 - row * 12} Tm (............) Tj`);
  expect(await markdownOf(...leaders)).toContain(prose);
  const signs = [0, 1, 2, 3, 4, 5].map((row) => `/F1 10 Tf 0 Tc 1 0 0 1 72 ${760 - row * 12} Tm (0 1 1 0 1 0 0 1) Tj`);
  expect(await markdownOf(...signs)).toContain("0 1 1 0 1 0 0 1");
});
