// How long a page takes from its bytes to markdown, links and metadata, beside others in the same run, on one thread.
//
//   node benchmarks/transform/run.ts <folder of page sets> [--pages <number>] [--ours] [set …]
//
// Without sets: wcxb and scrapinghub. `--pages` takes that many, spread over the sets; `--ours` leaves the others out.

import { type Contender, contenders } from "./contenders.ts";
import { readCorpus } from "./corpus.ts";
import { reportThreads } from "./threads.ts";

const [path, ...rest] = process.argv.slice(2);
if (path === undefined) throw new Error("Give the folder of the page sets.");
const onlyOurs = rest.includes("--ours");
const limitAt = rest.indexOf("--pages");
const limit = limitAt === -1 ? Number.POSITIVE_INFINITY : Number(rest[limitAt + 1]);
const sets = rest.filter((word, index) => !word.startsWith("--") && (limitAt === -1 || index !== limitAt + 1));

const all = readCorpus(path, sets.length > 0 ? sets : ["wcxb", "scrapinghub"]);
const step = Math.max(1, all.length / limit);
const pages = all.filter((_page, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
const running = contenders.filter(({ name }) => !onlyOurs || name.startsWith("crawlcore"));

interface Result {
  readonly wall: number[];
  readonly cpu: number[];
  characters: number;
  failures: number;
}

const results = new Map<Contender, Result>(
  running.map((one) => [one, { wall: [], cpu: [], characters: 0, failures: 0 }]),
);

async function measure(contender: Contender, page: (typeof pages)[number], result: Result): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  try {
    const { markdown, links } = await contender.run(page);
    result.characters += markdown.length + links.length;
  } catch {
    result.failures++;
  }
  result.wall.push(performance.now() - start);
  const { user, system } = process.cpuUsage(cpu);
  result.cpu.push((user + system) / 1000);
}

// Warm up on a few pages, so that the first contender does not pay for all.
for (const page of pages.slice(0, 15)) for (const contender of running) await contender.run(page);
const log = console.error;
console.error = () => {};
for (const page of pages) for (const [contender, result] of results) await measure(contender, page, result);
console.error = log;

const at = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const bytes = pages.reduce((sum, { body }) => sum + body.byteLength, 0);
console.log(`${pages.length} pages, ${Math.round(bytes / pages.length / 1024)} KB mean\n`);
console.log("ms a page                            median     p95  CPU mean   median, times ours   failed");
const ours = at(results.get(running[0]!)!.wall, 0.5);
for (const [{ name }, { wall, cpu, characters, failures }] of results) {
  const figures = [at(wall, 0.5), at(wall, 0.95), mean(cpu)].map((value) => value.toFixed(2).padStart(8)).join("");
  console.log(
    `${name.padEnd(34)} ${figures}  ${(at(wall, 0.5) / ours).toFixed(1).padStart(10)} ${String(failures).padStart(18)}` +
      `   ${Math.round(characters / pages.length)} characters`,
  );
}
await reportThreads(pages);
