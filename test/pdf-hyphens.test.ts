// Which hyphens at the ends of lines part a word, and which are part of one: the document itself shows it.
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

async function markdownOf(...lines: string[]): Promise<string> {
  const pdf = await PdfBuilder.start();
  pdf.lines(lines, 60, 80);
  return (await readPdf(await pdf.bytes())).markdown;
}

test("a text that parts no word ends lines only with compounds", async () => {
  const markdown = await markdownOf(
    "A long term in the harbour office, which was well paid, made him known to all the people of the long-",
    "term plans of the town and to some of those who came for a year, though he was not known as a well-",
    "known man before he came here from the islands.",
  );
  expect(markdown).toMatch("the long-term plans");
  expect(markdown).toMatch("a well-known man");
});

test("a text that parts words has them whole again, though halves of some are words", async () => {
  const markdown = await markdownOf(
    "A long term in the harbour office, which was well under way, made him stand for naviga-",
    "tion of the coast and for an office in the town with administra-",
    "tion of all its piers, and so he came to under-",
    "stand the ships of the harbour.",
  );
  expect(markdown).toMatch("for navigation of the coast and for an office in the town with administration of all");
  expect(markdown).toMatch("to understand the ships");
});

test("the first of two words that share their second half keeps its hyphen, and the space after it", async () => {
  const markdown = await markdownOf(
    "The harbour of the town was open through all of the winter for short-",
    "and long-term work, and its Haupt-",
    "und Nebengebäude were open as well.",
  );
  expect(markdown).toMatch("for short- and long-term work, and its Haupt- und Nebengebäude were");
});

test("the lines of a table's cell are joined like those of a text", async () => {
  const pdf = await PdfBuilder.start();
  const rows = [
    ["harbour", "where ships lie that wait for their naviga-", "tion of the coast"],
    ["fjord", "an arm of the sea between mountains of consider-", "able height"],
    ["meadow", "land with grass", "and flowers"],
  ];
  for (const [index, [term, first, second]] of rows.entries()) {
    pdf
      .text(term!, 60, 80 + index * 36)
      .text(first!, 200, 80 + index * 36)
      .text(second!, 200, 92 + index * 36);
  }
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown).toMatch("wait for their navigation of the coast");
  expect(markdown).toMatch("of considerable height");
});
