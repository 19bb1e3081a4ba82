/** Pages of any width, on which one line may hold as much as a book: work and result grow with the file, not faster. */
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { cpuTime } from "./cpu-time.ts";
import { helvetica, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** A page 200,000 points wide and 10,000 high, with text of one point. */
function widePdf(drawn: readonly string[]): Uint8Array {
  const [catalogue, tree, page] = onePage("/Font<</F1 5 0 R>>");
  return rawPdf([
    catalogue!,
    tree!,
    page!.replace("[0 0 612 792]", "[0 0 200000 10000]"),
    stream(`BT /F1 1 Tf ${drawn.join(" ")} ET`),
    helvetica,
  ]);
}

test("a line of 180,000 words that are drawn from the last to the first", async () => {
  const count = 180_000;
  const bytes = widePdf(Array.from({ length: count }, (_, index) => `1 0 0 1 ${count - index} 700 Tm (a) Tj`));
  const started = cpuTime();
  const { markdown } = await readPdf(bytes);
  expect(cpuTime() - started).toBeLessThan(10_000);
  expect(markdown).toHaveLength(count * 2 - 1);
}, 60_000);

test("2,000 items of lists, each set in further than the one before", async () => {
  const items = Array.from({ length: 2_000 }, (_, index) => {
    const place = `${20 + index * 0.7} ${9_000 - index * 1.2}`;
    return `1 0 0 1 ${place} Tm (* item ${index}) Tj`;
  });
  const { markdown } = await readPdf(widePdf(items));
  expect(markdown.split("\n").slice(0, 3)).toEqual(["- item 0", "  - item 1", "    - item 2"]);
  expect(markdown.length).toBeLessThan(200_000);
});
