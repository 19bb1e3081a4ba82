import { degrees } from "pdf-lib";
import { expect, test } from "vitest";
import type { Fragment } from "../src/transform/pdf/fragments.ts";
import { withinSentences } from "../src/transform/pdf/within-sentences.ts";
import { readPdf } from "../src/transform/read-pdf.ts";
import { cpuTime } from "./cpu-time.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";

const chapters = ["Of the harbour", "Of the meadow", "Of the fjord", "Of the island", "Of the orchard", "Of the grove"];
const prose = (page: number) =>
  `The ${page}th of the pages says what there is to say, at some length and in whole lines.`;

async function markdownOf(build: (pdf: PdfBuilder, page: number) => void): Promise<string> {
  const pdf = await PdfBuilder.start();
  for (const page of chapters.keys()) {
    if (page > 0) pdf.page();
    build(pdf, page + 1);
    pdf.paragraph(`${prose(page + 1)} ${prose(page + 1)} ${prose(page + 1)}`, 60, 200, 400);
  }
  return (await readPdf(await pdf.bytes())).markdown;
}

test("titles of chapters beside the numbers of pages are running heads, though each stands on one page alone", async () => {
  const markdown = await markdownOf((pdf, page) => {
    const [left, right] = page % 2 === 0 ? [60, 380] : [500, 60];
    pdf.text(`${page}`, left, 50).text(chapters[page - 1]!.toUpperCase(), right, 50);
  });
  expect(markdown).not.toMatch(/OF THE/);
});

test("what stands over the text without a number beside it stays", async () => {
  const markdown = await markdownOf((pdf, page) => {
    pdf.text(chapters[page - 1]!, 60, 100 + page * 8, { face: "bold" }).text(`${page}`, 290, 800);
  });
  for (const chapter of chapters) expect(markdown).toMatch(chapter);
});

/** Full pages with a head, and a line from below to above at their side. */
async function withSideLines(count: number, hasSide: (page: number) => boolean, angles: number[]): Promise<string> {
  const pdf = await PdfBuilder.start();
  for (let page = 1; page <= count; page++) {
    if (page > 1) pdf.page();
    pdf.text("Harbour report", 60, 40).paragraph(`${prose(page)} ${prose(page)} ${prose(page)}`, 60, 200, 400);
    for (const angle of hasSide(page) ? angles : [])
      pdf.current.drawText(`at the side ${page}`, {
        x: angle > 180 ? 20 : 575,
        y: 300,
        size: 8,
        rotate: degrees(angle),
      });
  }
  return (await readPdf(await pdf.bytes())).markdown;
}

test("a page with rotated text is one page: what both of two pages have is a running head", async () => {
  const markdown = await withSideLines(2, (page) => page === 1, [90]);
  expect(markdown).not.toContain("Harbour report");
  expect(markdown).toContain("at the side 1");
});

test("pages with rotated lines at both sides have running heads", async () => {
  expect(await withSideLines(5, () => true, [90, 270])).not.toContain("Harbour report");
});

test("the lines of a paragraph that all pages have, as letters do, are no running heads", async () => {
  const names = ["Ann", "Bob", "Cid"];
  const pdf = await PdfBuilder.start();
  for (const [index, name] of names.entries()) {
    if (index > 0) pdf.page();
    pdf.text("ACME of London", 60, 40).text(`Dear ${name},`, 60, 100);
    const first = ["we thank you for your order and are glad to tell you that it has been", "sent to you today,"];
    const last = ["and that all of the things that you have ordered are in it, so that", "you can put up everything."];
    pdf.lines([...first, `with the number ${index * 7 + 5}`, ...last], 60, 118);
  }
  const { markdown } = await readPdf(await pdf.bytes());
  expect(markdown.match(/we thank you for your order/g)).toHaveLength(names.length);
  expect(markdown.match(/ACME of London/g)?.length ?? 0).toBeLessThan(names.length);
});

/** Six pages full of lines that go on from page to page, from 100 to 760. */
async function readBook(build: (pdf: PdfBuilder, page: number) => void): Promise<string> {
  const pdf = await PdfBuilder.start();
  for (let page = 0; page < 6; page++) {
    if (page > 0) pdf.page();
    const lines = Array.from(
      { length: 56 },
      (_, line) => `and in the year ${page * 70 + line} nothing was heard of it in all of the`,
    );
    pdf.lines(lines, 60, 100);
    build(pdf, page);
  }
  return (await readPdf(await pdf.bytes())).markdown;
}

const foots = [
  "www.example.com/annual-report",
  "for internal use only - report",
  "annual report of the bakers of the valley",
];
test.each(foots.flatMap((foot) => [12, 13, 15, 16].map((gap) => [foot, gap] as const)))(
  "the running foot %j is in no sentence, %i points below the text",
  async (foot, gap) => {
    expect(await readBook((pdf) => pdf.text(foot, 60, 100 + 55 * 12 + gap))).not.toContain("report");
  },
);

test.each([12, 15, 16])("a running head as wide as the text is in no sentence, %i points above it", async (gap) => {
  const head = "The Adventures of Sherlock Holmes and Doctor Watson";
  expect(await readBook((pdf) => pdf.text(head, 60, 100 - gap))).not.toContain("Holmes");
});

test("with more at the edge, a head at another distance than that of the lines is in no sentence, nor is an address", async () => {
  const markdown = await readBook((pdf) =>
    pdf
      .text("Collected works", 60, 50)
      .text("The Adventures of Sherlock Holmes and Doctor Watson", 60, 86)
      .text("www.example.com/annual-report", 60, 100 + 56 * 12)
      .text("All rights reserved", 60, 810),
  );
  expect(markdown).not.toMatch(/Holmes|www/);
});

const fragment = (text: string, y: number, count = 1): Fragment => ({
  pieces: Array.from({ length: count }, () => ({ text, fontName: "" })),
  left: 50,
  right: 500,
  y,
  fontSize: 10,
  fontName: "",
});

test("several lines of a paragraph that begins at the top of all pages are in its sentence", () => {
  const texts = [
    "and so it is that every one of you has been",
    "asked to come to us, and to bring",
    "your own cup and",
  ];
  const lines = texts.map((text, index) => fragment(text, 50 + index * 12));
  const others = ["a spoon for the tea, which will be", "poured at five."].map((text, index) =>
    fragment(text, 86 + index * 12),
  );
  expect(withinSentences([...lines, ...others], new Set(lines.slice(0, 2)))).toEqual(new Set(lines.slice(0, 2)));
});

test("many pieces of text below each other are compared in no time", () => {
  const lines = Array.from({ length: 50 }, () => fragment("A word ", 100, 2000));
  const others = Array.from({ length: 4000 }, () => fragment("A", 112));
  const start = cpuTime();
  withinSentences([...lines, ...others], new Set(lines));
  expect(cpuTime() - start).toBeLessThan(500);
});
