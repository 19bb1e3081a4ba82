/** The areas of a PDF's links, and the text that they cover. */
import { expect, test } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** A page that draws the text, and has a link with the area. */
function linkedPdf(text: string, area: string, font = helvetica, ...others: readonly string[]): Uint8Array {
  const [catalogue, tree, page] = onePage("/Font<</F1 5 0 R>>");
  return rawPdf([
    catalogue!,
    tree!,
    page!.replace("/MediaBox", "/Annots[6 0 R]/MediaBox"),
    stream(`BT /F1 10 Tf ${text} ET`),
    font,
    `<</Type/Annot/Subtype/Link${area}/A<</S/URI/URI(https://site.test/)>>>>`,
    ...others,
  ]);
}

const courier = "<</Type/Font/Subtype/Type1/BaseFont/Courier>>";

const markdownOf = async (bytes: Uint8Array) => (await readPdf(bytes)).markdown;

test("an area that reaches up to a number without neighbours ends", async () => {
  const bytes = linkedPdf("72 720 Td (a page) Tj", `/Rect[0 0 612 ${"9".repeat(21)}]`);
  expect(await markdownOf(bytes)).toBe("[a page](https://site.test/)");
});

test("a link within a line of Cyrillic letters begins and ends with a word", async () => {
  const [font, map] = letterFont("\u043f\u0440\u0438\u0432\u0435\u0442\u0431\u044b\u043b");
  // Seven letters of 6 points are before it; the area begins within the word before, and ends within its last letter.
  const bytes = linkedPdf("72 700 Td (ABCDEF ABCDEF GHI) Tj", "/Rect[110 695 148 712]", font, map!);
  const word = "\u043f\u0440\u0438\u0432\u0435\u0442";
  expect(await markdownOf(bytes)).toBe(`${word} [${word}](https://site.test/) \u0431\u044b\u043b`);
});

test("a link within a line from right to left covers the word that is in its area", async () => {
  const [font, map] = letterFont("\u05d0\u05d1\u05d2\u05d3\u05d4\u05d5");
  // As drawn, from left to right.
  const bytes = linkedPdf("72 700 Td (CBA FED) Tj", "/Rect[72 695 90 712]", font, map!);
  expect(await markdownOf(bytes)).toBe("\u05d3\u05d4\u05d5 [\u05d0\u05d1\u05d2](https://site.test/)");
});

test("a link whose words are set in one run with a comma and narrow letters begins after the comma", async () => {
  // Helvetica: the comma and the space before the link take 5.56 points.
  const bytes = linkedPdf("72 720 Td (, Chief Analyst) Tj", "/Rect[77.4 715 141 732]");
  expect(await markdownOf(bytes)).toBe(", [Chief Analyst](https://site.test/)");
});

test("a link in a run of code is where its letters are, however narrow they would be in another font", async () => {
  const bytes = linkedPdf("72 720 Td (fill(i, list[i]) or wait) Tj", "/Rect[120 715 144 732]", courier);
  expect(await markdownOf(bytes)).toContain("fill(i, [list](https://site.test/)");
});

test("a link over two lines covers what is within its quadrilaterals, not all within their rectangle", async () => {
  // From the 28th character of the first line to the fifth of the next, of 6 points each.
  const quads = [
    [234, 709, 354, 697],
    [72, 697, 102, 685],
  ].map(([left, top, right, bottom]) => `${left} ${top} ${right} ${top} ${left} ${bottom} ${right} ${bottom}`);
  const text = "72 700 Td (The report begins with the words that every one) Tj 0 -12 Td (of us knows, and goes on.) Tj";
  const bytes = linkedPdf(text, `/Rect[72 685 354 709]/QuadPoints[${quads.join(" ")}]`, courier);
  expect(await markdownOf(bytes)).toBe(
    "The report begins with the [words that every one of us](https://site.test/) knows, and goes on.",
  );
});

test("text of several fonts in one link is one link, in which an address that is broken into lines is whole", async () => {
  // The link begins with the third word; Courier takes 6 points a letter.
  const text = [
    "72 720 Td (See the manual \\() Tj /F2 10 Tf 76.2 0 Td (https://site.test/manual/) Tj",
    "-76.2 -12 Td (first-part) Tj /F1 10 Tf 60 0 Td (\\) or not, as this line of words shows.) Tj",
  ].join(" ");
  const quads = "104 730 298.2 730 104 718 298.2 718 72 718 135.3 718 72 706 135.3 706";
  const bytes = rawPdf([
    ...onePage("/Font<</F1 5 0 R/F2 6 0 R>>").map((part) => part.replace("/MediaBox", "/Annots[7 0 R]/MediaBox")),
    stream(`BT /F1 10 Tf ${text} ET`),
    helvetica,
    courier,
    `<</Type/Annot/Subtype/Link/Rect[72 706 302 730]/QuadPoints[${quads}]/A<</S/URI/URI(https://site.test/manual/first-part)>>>>`,
  ]);
  expect(await markdownOf(bytes)).toBe(
    "See the [manual (`https://site.test/manual/first-part`)](https://site.test/manual/first-part) or not, as this line of words shows.",
  );
});

test("the links of a page of pictures are among the document's", async () => {
  const { links, markdown } = await readPdf(linkedPdf("", "/Rect[72 600 200 700]"));
  expect({ links, markdown }).toEqual({ links: ["https://site.test/"], markdown: "" });
});

test("an address in the text is written as it is, with all of its signs", async () => {
  const text = "72 720 Td (See https://a.test/Pot_\\(tea\\), https://a.test/_b_/*.) Tj";
  expect(await markdownOf(linkedPdf(text, "/Rect[9 9 10 10]"))).toBe(
    "See <https://a.test/Pot_(tea)>, <https://a.test/_b_/*>.",
  );
  expect(await markdownOf(linkedPdf("72 720 Td (See <https://a.test/b>.) Tj", "/Rect[9 9 10 10]"))).toBe(
    "See \\<<https://a.test/b>>.",
  );
  expect(await markdownOf(linkedPdf("72 720 Td (https://a.test/_b_) Tj", "/Rect[0 0 612 792]"))).toBe(
    "[https://a.test/\\_b_](https://site.test/)",
  );
});

test("long addresses that many links share are not written for each of them", async () => {
  const [catalogue, tree, page] = onePage("/Font<</F1 5 0 R>>") as [string, string, string];
  const places = Array.from({ length: 300 }, (_, index) => ({ y: 50 + index * 20, address: 7 + (index % 2) }));
  const areas = places.map(
    ({ y, address }) => `<</Type/Annot/Subtype/Link/Rect[40 ${y - 3} 200 ${y + 10}]/A ${address} 0 R>>`,
  );
  const bytes = rawPdf([
    catalogue,
    tree,
    page.replace("/MediaBox[0 0 612 792]", "/Annots 6 0 R/MediaBox[0 0 612 9000]"),
    stream(`BT /F1 10 Tf ${places.map(({ y }) => `1 0 0 1 50 ${y} Tm (lamp) Tj`).join(" ")} ET`),
    helvetica,
    `[${areas.join("")}]`,
    ...["x", "y"].map((letter) => `<</S/URI/URI(https://site.test/${letter.repeat(30_000)})>>`),
  ]);
  const { markdown, links } = await readPdf(bytes);
  expect(markdown.match(/lamp/g)).toHaveLength(300);
  expect(links).toHaveLength(2);
  expect(markdown).toContain("[lamp](https://site.test/x");
  expect(markdown.length).toBeLessThan(2_000_000);
});
