// What a PDF file states that its glyphs mean (`ActualText`), where glyphs and letters are not one to one.
import { PDFDocument, StandardFonts } from "pdf-lib";
import { expect, test } from "vitest";
import { helvetica, letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";
import { engineFor, site } from "./start-engine.ts";

async function markdownOf(body: Uint8Array): Promise<string> {
  const { url } = await site({
    "/a.pdf": { headers: { "content-type": "application/pdf" }, body: Buffer.from(body) },
  });
  return (await engineFor().scrape({ url: `${url}/a.pdf` })).data.markdown ?? "";
}

const digits = (text: string): string => Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("hex");
/** Glyphs that are drawn, and what they are said to mean. */
const meaning = (text: string, glyphs: string): string => `/Span<</ActualText <${digits(text)}>>> BDC ${glyphs} EMC\n`;
const shown = (letters: string, x: number, y: number): string => `1 0 0 1 ${x} ${y} Tm (${letters}) Tj\n`;
const page = (content: string): Uint8Array =>
  rawPdf([...onePage("/Font<</F1 5 0 R>>"), stream(`BT /F1 12 Tf\n${content} ET`), helvetica]);

test("syllables are read as the file states them, and stay parts of their words", async () => {
  const content =
    meaning("प्र", shown("x", 72, 720)) + // Helvetica's x is 6 points wide.
    meaning("का", shown("a", 78, 720) + shown("b", 84.7, 720)) +
    shown("7", 91.4, 720) +
    meaning("दीप", shown("cde", 110, 720));
  expect(await markdownOf(page(content))).toBe("प्रका7 दीप");
});

test("also as a string with escapes and other entries, in a file without letters' names, and in what a page draws", async () => {
  const literal = Buffer.from(`\ufeffद)ी`, "utf16le").swap16();
  const escaped = [...literal].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const form = `BT /F1 12 Tf 72 700 Td /P <</MCID 3 /ActualText (${escaped})/Lang(hi)>>BDC (qq) Tj EMC ET`;
  const own = "BT /F1 12 Tf 72 680 Td /Span <</ActualText (caf\\351 \\(1\\)\\212)>> BDC (xx) Tj EMC ET";
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R>>/XObject<</X 6 0 R>>"),
    stream(`/X Do ${own}`),
    helvetica,
    stream(form, "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>"),
  ]);
  expect(await markdownOf(file)).toBe("द)ी café (1)−");
});

test("in compressed drawings of a file whose table of objects is compressed as well", async () => {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of ["ประภาคาร", "กลางคืน"]) {
    const added = document.addPage();
    const name = added.node.newFontDictionary("F1", font.ref).toString();
    const content = document.context.flateStream(
      `BT ${name} 12 Tf ${meaning(text, shown("abc", 72, 720))} ${shown("1872", 130, 720)} ET`,
    );
    added.node.addContentStream(document.context.register(content));
  }
  expect(await markdownOf(await document.save())).toBe("ประภาคาร 1872\n\nกลางคืน 1872");
});

test("a sign that is stated where nothing is drawn is behind the letter before it, in either direction", async () => {
  // The letters of "می" and "رود", from left to right, as browsers draw them.
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R>>"),
    stream(`BT /F1 12 Tf\n${shown("CDE", 72, 720)}${meaning("\u200c", "")}${shown("AB", 93.6, 720)} ET`),
    ...letterFont("یمدور", 6),
  ]);
  expect(await markdownOf(file)).toBe("می\u200cرود");
  const latin = shown("co", 72, 720) + meaning("\u200d", "") + shown("op", 84.7, 720);
  expect(await markdownOf(page(latin))).toBe("co\u200dop");
});

test("what is not stated for a part of one line is read as it is drawn", async () => {
  const content =
    meaning("The lamp of the tower", shown("The lamp of the", 72, 720) + shown("tower is lit.", 72, 704)) +
    shown("Its light", 72, 688) +
    meaning("\u00ad", shown("-", 118, 688)) +
    shown("house keeper sleeps.", 72, 672);
  const markdown = await markdownOf(page(content));
  expect(markdown).toContain("The lamp of the tower is lit.");
  expect(markdown).toMatch(/Its light ?-? ?house keeper sleeps\./);
});

test("a file that has lost its end is read as it is drawn", async () => {
  const file = page(meaning("meant", shown("drawn", 72, 720)));
  const end = Buffer.from(file).indexOf("xref");
  expect(await markdownOf(file.subarray(0, end))).toMatch(/drawn|meant/);
  expect(await markdownOf(file)).toBe("meant");
});

test("a syllable of several letters has its width, so what follows is no other word", async () => {
  const syllables = [..."ABC"].map((letter, index) => {
    const text = ["प्र", "क्ष", "ठि"][index]!;
    const hex = [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, "0")).join("");
    return `<${letter.charCodeAt(0).toString(16)}> <${hex}>`;
  });
  const map = `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar ${syllables.join(" ")} endbfchar endcmap`;
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/ToUnicode 6 0 R>>`;
  const file = rawPdf([
    ...onePage("/Font<</F1 5 0 R/F2 7 0 R>>"),
    stream(`BT /F1 12 Tf\n${shown("A", 72, 720)}/F2 12 Tf ${shown("B", 80, 720)}/F1 12 Tf ${shown("C", 88, 720)} ET`),
    font("Helvetica"),
    stream(map),
    font("Times-Roman"),
  ]);
  expect(await markdownOf(file)).toBe("प्रक्षठि");
});
