/** The output of the demo: a line for each page, and a summary. In colour only on a terminal. */
import { stripVTControlCharacters, styleText } from "node:util";
import type { Document, JobErrors, JobStatus } from "../../src/index.ts";
import { countWords } from "./page-file.ts";
import type { Tally } from "./tally.ts";

const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout });
const dim = (text: string): string => paint("dim", text);
const number = (value: number): string => value.toLocaleString("en-GB");

/** Text from the web, made harmless for a terminal. */
const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();

function cut(text: string, width: number): string {
  const characters = [...plain(text)];
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}

/** One page on one line: count, status, path, title, words. */
export function printPage(count: number, page: Document): void {
  const { sourceURL = "", statusCode = 0, title, error } = page.metadata;
  const width = Math.max(60, (process.stdout.columns ?? 112) - 28);
  const pathWidth = Math.floor(width / 2);
  const url = URL.parse(sourceURL);
  const path = url === null ? sourceURL : url.pathname + url.search;
  const good = statusCode >= 200 && statusCode < 400;
  const words = page.markdown === undefined ? "" : `${number(countWords(page.markdown))} words`;
  const columns = [
    dim(String(count).padStart(5)),
    paint(good ? "green" : "red", statusCode === 0 ? "---" : String(statusCode)),
    cut(path, pathWidth).padEnd(pathWidth),
    dim(cut((good ? title : error) ?? "", width - pathWidth).padEnd(width - pathWidth)),
    dim(words.padStart(12)),
  ];
  console.log(columns.join("  "));
}

const row = (name: string, value: string, more = ""): void =>
  console.log(`  ${name.padEnd(12)}${value.padStart(8)}  ${dim(more)}`);

/** Reasons with their counts, below a row, the most frequent first. */
function printCounts(counts: ReadonlyMap<string, number>): void {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  for (const [text, count] of sorted.slice(0, 12))
    console.log(dim(`  ${number(count).padStart(20)}  ${cut(text, 88)}`));
  if (sorted.length > 12) console.log(dim(`  ${"…".padStart(20)}  and ${sorted.length - 12} other reasons`));
}

function counted(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Wraps a line between words. */
function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of plain(text).split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** The beginning of a page. */
function printExcerpt(page: Document): void {
  console.log(`\n  From ${plain(page.metadata.sourceURL ?? "")}\n`);
  const beginning = (page.markdown ?? "").slice(0, 1500).split("\n");
  const lines = beginning.flatMap((line) => wrapped(line, 88)).slice(0, 12);
  for (const line of lines) console.log(dim(`    │ ${cut(line, 96)}`));
}

export function printSummary(status: JobStatus, errors: JobErrors, tally: Tally, folder: string): void {
  const seconds = tally.seconds;
  console.log(`\n${paint("bold", `Crawl ${status.status}`)} in ${seconds.toFixed(1)} s\n`);
  row("Pages", number(tally.read), `${(tally.read / seconds).toFixed(1)} a second`);
  row("Words", number(tally.words));
  row("Markdown", `${number(Math.ceil(tally.bytes / 1024))} KB`);
  row("Error pages", number([...tally.errorAnswers.values()].reduce((sum, count) => sum + count, 0)));
  printCounts(tally.errorAnswers);
  row("Failed", number(errors.errors.length));
  printCounts(counted(errors.errors.map(({ code, error }) => `${code}: ${error}`)));
  row("Left out", number(errors.skipped.length));
  printCounts(counted(errors.skipped.map(({ reason }) => reason.toLowerCase().replaceAll("_", " "))));
  row("Disallowed", number(errors.robotsBlocked.length), "by robots.txt");
  if (tally.quoted !== undefined) printExcerpt(tally.quoted);
  console.log(tally.bytes > 0 ? `\n  Files are in ${paint("bold", folder)}\n` : "");
}
