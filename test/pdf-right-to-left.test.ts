// Lines of PDFs that run from right to left: brackets, numbers, other scripts, signs over letters.
import { expect, test } from "vitest";
import { letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

/** Lines of words at places; the font has these letters, 7.2 points wide, and those of Latin. */
async function markdownOf(...lines: readonly (readonly (readonly [text: string, x: number])[])[]): Promise<string> {
  const letters = "אבגדהוזחטילמנס()1234567890.:";
  const codes = (text: string) =>
    [...text].map((letter) => String.fromCharCode(0x41 + letters.indexOf(letter))).join("");
  const drawn = lines.flatMap((line, index) =>
    line.map(([text, x]) => {
      const isLatin = /[a-z]/i.test(text);
      const shown = isLatin ? text : codes(text).replace(/[()\\]/g, "\\$&");
      return `/${isLatin ? "F2" : "F1"} 12 Tf 1 0 0 1 ${x} ${720 - 15 * index} Tm (${shown}) Tj\n`;
    }),
  );
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R/F2 7 0 R>>"),
    stream(`BT ${drawn.join("")} ET`),
    ...letterFont(letters, 6),
    "<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
  ]);
  const { url } = await site({
    "/a.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(file) },
  });
  return (await engineFor().scrape({ url: `${url}/a.pdf` })).data.markdown ?? "";
}

test("brackets open before they close, whether the file has those that are meant or those that are drawn", async () => {
  const meant = await markdownOf([
    ["(", 400],
    ["אבג", 378],
    [")", 371],
    ["דהו", 340],
  ]);
  const drawn = await markdownOf([
    [")", 400],
    ["אבג", 378],
    ["(", 371],
    ["דהו", 340],
  ]);
  expect(meant.split(" ")[0]).toBe("(גבא)");
  expect(drawn.split(" ")[0]).toBe("(גבא)");
});

test("the number of an item has its point behind it", async () => {
  const markdown = await markdownOf(
    [
      [".1", 400],
      ["אבג", 370],
    ],
    [
      [".2", 400],
      ["דהו", 370],
    ],
  );
  expect(markdown).toBe("1. גבא\n2. והד");
});

test("a line with longer words of another script runs as the others do", async () => {
  const markdown = await markdownOf(
    [
      ["אבגדה", 400],
      ["וזחטי", 356],
      ["למנס", 320],
    ],
    [
      ["אבג", 414],
      ["lighthouse keepers", 276],
      ["דהו", 248],
    ],
  );
  expect(markdown.split("\n").at(-1)).toContain("גבא lighthouse keepers והד");
});

test("a few words within a line from left to right are in their order, also letter by letter", async () => {
  const markdown = await markdownOf([
    ["The old lighthouse", 72],
    ["ג", 210],
    ["ב", 217.2],
    ["א", 224.4],
    ["והד", 240],
    ["is lit at dusk", 270],
  ]);
  expect(markdown).toBe("The old lighthouse דהו אבג is lit at dusk");
});

test("brackets among words of another script stay around theirs", async () => {
  const markdown = await markdownOf([
    ["אבגדהוזח", 420],
    ["lamp", 340],
    ["\\(oil\\)", 376],
    [".", 332],
    ["טילמנס", 270],
  ]);
  expect(markdown).toBe("חזוהדגבא lamp (oil). סנמליט");
});

/** A line of glyphs, each with its letters, its place and its width. */
async function lineOf(...glyphs: readonly (readonly [letters: string, x: number, width: number])[]): Promise<string> {
  const hex = (text: string) => [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, "0")).join("");
  const pairs = glyphs.map(([letters], index) => `<${(0x41 + index).toString(16)}> <${hex(letters)}>`);
  const drawn = glyphs.map(([, x], index) => `1 0 0 1 ${x} 720 Tm (${String.fromCharCode(0x41 + index)}) Tj\n`);
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R>>"),
    stream(`BT /F1 10 Tf ${drawn.join("")} ET`),
    `<</Type/Font/Subtype/TrueType/BaseFont/Naskh/FirstChar 65/LastChar ${64 + glyphs.length}/Widths[${glyphs.map(([, , width]) => width * 100).join(" ")}]/FontDescriptor 7 0 R/ToUnicode 6 0 R>>`,
    stream(
      `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${pairs.length} beginbfchar ${pairs.join(" ")} endbfchar endcmap`,
    ),
    "<</Type/FontDescriptor/FontName/Naskh/Flags 32/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 80>>",
  ]);
  const { url } = await site({
    "/a.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(file) },
  });
  return (await engineFor().scrape({ url: `${url}/a.pdf` })).data.markdown ?? "";
}

test("a glyph of two letters has them in their order", async () => {
  const word = await lineOf(["م", 100, 6], ["لا", 106, 5], ["س", 111, 8], ["لا", 119, 5], ["ا", 124, 3]);
  expect(word).toBe("الاسلام");
});

test("letters that are drawn over each other are read by their middles", async () => {
  expect(await lineOf(["بيض", 100, 16], ["أ", 115.6, 0.1], ["ل", 115.6, 6], ["ا", 121.6, 3])).toBe("الأبيض");
});

test("letters that stand apart are one word where the file draws its spaces", async () => {
  // The space takes the place of the I, which is as narrow.
  const letters = "אבגדהוזח ";
  const codes = (text: string) => [...text].map((letter) => (0x41 + letters.indexOf(letter)).toString(16)).join("");
  const markdown = async (line: string) => {
    const file = rawPdf([
      ...onePage("/Font<</F1 5 0 R>>"),
      stream(`BT /F1 12 Tf 1 0 0 1 300 720 Tm [${line}] TJ ET`),
      ...letterFont(letters, 6).map((object) => object.replace("Courier", "Helvetica")),
    ]);
    const { url } = await site({
      "/a.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(file) },
    });
    return (await engineFor().scrape({ url: `${url}/a.pdf` })).data.markdown;
  };
  expect(await markdown(`<${codes("וה")}> -150 <${codes("ד גבא")}>`)).toBe("אבג דהו");
  // This one sets all its words apart by gaps.
  expect(await markdown(`<${codes("וה")}> -250 <${codes("ד")}> -250 <${codes("גבא")}>`)).toBe("אבג ד הו");
});
