/**
 * Measures how long a page takes from its bytes to markdown, links and metadata, and compares it with others in the
 * same run.
 *
 *   node benchmarks/transform/run.ts <folder of page sets> [--pages <number>] [--ours] [set …]
 *
 * Without sets: wcxb and scrapinghub. `--pages` takes that many, spread over the sets; `--ours` leaves the others out.
 * Each contender has a thread of its own; page by page, one works at a time.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Measured } from "./contender-thread.ts";
import { contenders } from "./contenders.ts";
import { type CorpusPage, readCorpus } from "./corpus.ts";
import { reportThreads } from "./threads.ts";

const [path, ...rest] = process.argv.slice(2);
if (path === undefined) throw new Error("Give the folder of the page sets.");
const onlyOurs = rest.includes("--ours");
const limitAt = rest.indexOf("--pages");
const limit = limitAt === -1 ? Number.POSITIVE_INFINITY : Number(rest[limitAt + 1]);
const sets = rest.filter((word, index) => !word.startsWith("--") && (limitAt === -1 || index !== limitAt + 1));

const warmUpMs = 5000;

const all = readCorpus(path, sets.length > 0 ? sets : ["wcxb", "scrapinghub"]);
const step = Math.max(1, all.length / limit);
const pages = all.filter((_page, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));

const running = contenders
  .filter(({ name }) => !onlyOurs || name.startsWith("crawlcore"))
  .map(({ name }) => ({
    name,
    thread: new Worker(new URL("contender-thread.ts", import.meta.url), { workerData: name }),
    measured: [] as Measured[],
  }));

async function measure(thread: Worker, page: CorpusPage): Promise<Measured> {
  thread.postMessage(page);
  const [measured] = (await once(thread, "message")) as [Measured];
  return measured;
}

// Warm-up, so that no measurement includes compiling: the same time for all, since fast contenders need more pages.
for (const { thread } of running) {
  const until = performance.now() + warmUpMs;
  for (let index = 0; performance.now() < until; index++) await measure(thread, pages[index % pages.length]!);
}
for (const page of pages) for (const { thread, measured } of running) measured.push(await measure(thread, page));
await Promise.all(running.map(({ thread }) => thread.terminate()));

const at = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

console.log(`${pages.length} pages, ${Math.round(mean(pages.map(({ body }) => body.byteLength)) / 1024)} KB mean\n`);
console.log("ms a page                            median     p95  CPU mean   times ours   failed   characters");
const ours = at(
  running[0]!.measured.map(({ wall }) => wall),
  0.5,
);
for (const { name, measured } of running) {
  const wall = measured.map((one) => one.wall);
  const figures = [at(wall, 0.5), at(wall, 0.95), mean(measured.map(({ cpu }) => cpu))];
  const line = figures.map((value) => value.toFixed(2).padStart(8)).join("");
  const failed = measured.filter((one) => one.failed).length;
  const characters = Math.round(mean(measured.map((one) => one.characters)));
  console.log(
    `${name.padEnd(34)} ${line} ${(at(wall, 0.5) / ours).toFixed(1).padStart(12)} ${String(failed).padStart(8)} ${String(characters).padStart(12)}`,
  );
}
await reportThreads(pages);
