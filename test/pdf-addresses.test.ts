// Papers set addresses in the font of code, and break them over lines.
import { expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const sentence = "The keepers of the lamps of this coast have written down what they saw, and the whole list is at";
const after = "It is long, and it is read by many who sail along the coast, and by some who only dream of it and stay.";

async function markdownOf(lines: readonly string[], { isLinked = false, gap = 0 } = {}): Promise<string> {
  const pdf = await PdfBuilder.start();
  pdf.text(sentence, 60, 100);
  for (const [index, line] of lines.entries()) {
    const [top, style] = [112 + gap + index * 12, { size: 10, face: "code" } as const];
    pdf.text(line, 60, top, style);
    if (isLinked)
      pdf.link(`https://${lines.join("").replace("https://", "")}`, 60, top - 9, pdf.widthOf(line, style), 12);
  }
  pdf.text(after, 60, 112 + gap * 2 + lines.length * 12);
  return (await readPdf(await pdf.bytes())).markdown;
}

const address = "https://lamps.example.org/of/the/whole/coast/and/its/islands/list.html";

it("an address on a line by itself belongs to its sentence, with or without a link", async () => {
  expect(await markdownOf([address])).toBe(`${sentence} \`${address}\` ${after}`);
  expect(await markdownOf([address], { isLinked: true })).toContain(
    `${sentence} [\`${address}\`](${address}) ${after}`,
  );
});

it("the second half of an address that is a link belongs to the first", async () => {
  const halves = ["https://lamps.example.org/of/the/whole/coast/and/its/islands/", "list.html"];
  const markdown = await markdownOf(halves, { isLinked: true });
  expect(markdown).toBe(`${sentence} [\`${halves.join("")}\`](${halves.join("")})\n\n${after}`);
});

it("an address that is set apart is an example", async () => {
  expect(await markdownOf([address], { gap: 14 })).toBe(`${sentence}\n\n\`\`\`\n${address}\n\`\`\`\n\n${after}`);
});
