/**
 * Compares the reading of PDF files with `pdftotext` (of poppler-utils, which must be installed) and plain `unpdf`.
 *
 *   node benchmarks/pdf/compare.ts FOLDER
 *
 * For each file: the share of pdftotext's words that are in our markdown, and in unpdf's text; the same without the
 * words of running headers and footers, which we leave out on purpose; how far the order of words agrees with
 * pdftotext's reading order (the longest run in common order, as a share); and milliseconds of CPU a page.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extractText } from "unpdf";
import { readPdf } from "../../src/transform/read-pdf.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("Give the folder with the PDF files.");

const rows: Record<string, string | number>[] = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith(".pdf"))) {
  const path = join(folder, file);
  const bytes = readFileSync(path);
  const [ours, ourTime] = await timed(() => readPdf(bytes));
  const [plain, plainTime] = await timed(async () => (await extractText(Uint8Array.from(bytes))).text as string[]);
  const theirs = execFileSync("pdftotext", [path, "-"], { encoding: "utf8", maxBuffer: 1e9 });
  const layout = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8", maxBuffer: 1e9 });

  const ourWords = wordsOf(plainTextOf(ours.markdown));
  const theirWords = wordsOf(theirs);
  const plainWords = wordsOf(plain.join("\n"));
  const pages = Math.max(1, ours.numPages);
  rows.push({
    file: file.slice(0, 40),
    pages: ours.numPages,
    words: theirWords.length,
    found: share(found(theirWords, ourWords)),
    "found, no headers": share(found(wordsOf(withoutFurniture(theirs)), ourWords)),
    "found of -layout": share(found(wordsOf(layout), ourWords)),
    "unpdf found": share(found(theirWords, plainWords)),
    order: share(orderAgreement(theirWords, ourWords)),
    "unpdf order": share(orderAgreement(theirWords, plainWords)),
    "CPU ms/page": (ourTime / pages).toFixed(1),
    "unpdf CPU": (plainTime / pages).toFixed(1),
  });
  if (process.argv.includes("--missing")) {
    const counts = countOf(ourWords);
    const missing = wordsOf(withoutFurniture(theirs)).filter((word) => {
      counts.set(word, (counts.get(word) ?? 0) - 1);
      return counts.get(word)! < 0;
    });
    console.log(file, missing.slice(0, 100).join(" "));
  }
}
console.table(rows);

async function timed<Result>(run: () => Promise<Result>): Promise<[Result, number]> {
  await run();
  const started = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(started);
  return [result, (user + system) / 1_000];
}

function share(value: number): string {
  return value.toFixed(3);
}

function plainTextOf(markdown: string): string {
  return markdown
    .replace(/\]\([^)\s]*\)/g, " ")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/^\| ---.*$/gm, "");
}

function wordsOf(text: string): string[] {
  const whole = text.normalize("NFKC").replace(/(\p{L})[-\u00ad]\n\s*(\p{Ll})/gu, "$1$2");
  return whole.toLowerCase().match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? [];
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The share of the expected words that are among the actual ones; repeated words count as often as they occur. */
function found(expected: readonly string[], actual: readonly string[]): number {
  const counts = countOf(actual);
  let hits = 0;
  for (const word of expected) {
    const left = counts.get(word) ?? 0;
    if (left > 0) hits++;
    counts.set(word, left - 1);
  }
  return expected.length === 0 ? 1 : hits / expected.length;
}

/** The longest sequence in common order, as a share of the words that occur once in both texts. */
function orderAgreement(expected: readonly string[], actual: readonly string[]): number {
  const once = (words: readonly string[]) =>
    new Set([...countOf(words)].filter(([, n]) => n === 1).map(([word]) => word));
  const [inExpected, inActual] = [once(expected), once(actual)];
  const place = new Map(actual.map((word, index) => [word, index]));
  const places = expected.filter((word) => inExpected.has(word) && inActual.has(word)).map((word) => place.get(word)!);
  const ends: number[] = [];
  for (const at of places) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < at) low = middle + 1;
      else high = middle;
    }
    ends[low] = at;
  }
  return places.length === 0 ? 1 : ends.length / places.length;
}

/** Leaves out lines at the edges of pages that are the same, except for numbers, on three pages or more. */
function withoutFurniture(text: string): string {
  const pages = text.split("\f").map((page) => page.split("\n").filter((line) => line.trim() !== ""));
  const key = (line: string) =>
    line
      .replace(/\d+|\b[ivxl]+\b/g, "#")
      .replace(/\s+/g, " ")
      .trim();
  const edges = (lines: readonly string[]) => [...lines.slice(0, 3), ...lines.slice(-3)];
  const counts = countOf(pages.flatMap((lines) => [...new Set(edges(lines).map(key))]));
  return pages
    .map((lines) =>
      lines.filter((line, at) => !((at < 3 || at >= lines.length - 3) && counts.get(key(line))! >= 3)).join("\n"),
    )
    .join("\n");
}
