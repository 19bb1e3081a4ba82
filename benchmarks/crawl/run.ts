/**
 * Crawls two generated sites with this package and with Crawlee, side by side in one run; and a third one, of pages as
 * they are, if a folder of page sets is given.
 *
 *   node benchmarks/crawl/run.ts [--pages 2000] [--site real|light] [--only ours,crawleeTuned] [--rounds 3]
 *   node benchmarks/crawl/run.ts --corpora folder [--site corpora] [...]
 *   node benchmarks/crawl/run.ts --long      does memory stay flat between page 2,000 and page 10,000?
 *
 * The package is built first, so that the measurements are of what a program would install.
 * The server runs in a process of its own, and so does each contender, which measures itself.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { contenders } from "./contenders.ts";
import type { Measured } from "./measure.ts";

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "2000" },
    site: { type: "string" },
    corpora: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string", default: "1" },
    long: { type: "boolean", default: false },
  },
});

function start(file: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

/** The first line of JSON that the process writes. */
async function answer<Value>(child: ChildProcess): Promise<Value> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.startsWith("{")) return JSON.parse(line);
  }
  throw new Error("A process ended without an answer");
}

async function withSite<Value>(kind: string, pages: number, use: (url: string) => Promise<Value>): Promise<Value> {
  const server = start("server.ts", kind, String(pages), values.corpora ?? "");
  const site = await answer<{ url: string; bytes: number; links: number }>(server);
  console.log(`\n${kind}: ${pages} pages, median ${Math.round(site.bytes / 1024)} KB and ${site.links} links\n`);
  try {
    return await use(site.url);
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

async function run(name: string, url: string, pages: number): Promise<Measured> {
  const child = start("contender.ts", name, url, String(pages));
  const measured = await answer<Measured>(child);
  if (child.exitCode === null) await once(child, "exit");
  return measured;
}

const titles = ["", "pages", "pages/s", "CPU ms/page", "peak RSS MB", "loop p99 ms", "markdown KB/page", "links/page"];

function row(name: string, measured: Measured): string {
  const { pages, seconds, cpu, peakRss, loopDelay, characters, links } = measured;
  const cells = [
    pages,
    (pages / seconds).toFixed(1),
    (cpu / pages).toFixed(2),
    peakRss,
    loopDelay.toFixed(1),
    (characters / pages / 1024).toFixed(1),
    (links / pages).toFixed(0),
  ];
  return [name.padEnd(30), ...cells.map((cell, index) => String(cell).padStart(titles[index + 1]!.length))].join("  ");
}

const verdict = (good: boolean, text: string): void => console.log(`${good ? "met    " : "NOT MET"}  ${text}`);

/** Compares the measurements with what the project expects of itself. */
function judge(results: ReadonlyMap<string, Measured>): void {
  const [ours, plain, tuned] = ["ours", "crawlee", "crawleeTuned"].map((name) => results.get(name));
  console.log();
  if (ours && plain) {
    const ratio = ours.pages / ours.seconds / (plain.pages / plain.seconds);
    verdict(ratio >= 8, `pages/s: ${ratio.toFixed(1)} x the untuned peer (expected: 8 or more)`);
  }
  if (ours && tuned) {
    const ratio = ours.cpu / ours.pages / (tuned.cpu / tuned.pages);
    verdict(ratio <= 0.2, `CPU a page: ${ratio.toFixed(3)} of the tuned peer (expected: 0.2 or less)`);
  }
  if (ours) verdict(ours.loopDelay < 20, `event-loop delay p99: ${ours.loopDelay.toFixed(1)} ms (expected: under 20)`);
}

/** The round with the median time. */
function middle(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((a, b) => a.seconds - b.seconds);
  return sorted[Math.floor(sorted.length / 2)]!;
}

async function compare(kind: string, pages: number): Promise<void> {
  const names = values.only?.split(",") ?? Object.keys(contenders);
  await withSite(kind, pages, async (url) => {
    const rounds = new Map(names.map((name): [string, Measured[]] => [name, []]));
    // Round by round, so that a busy moment of the machine does not affect only one contender.
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const name of names) {
        rounds.get(name)!.push(await run(name, url, pages));
        // The machine's speed may change within a minute, which is how long the peers take: ours is measured beside each.
        if (name.startsWith("crawlee")) rounds.get("ours")?.push(await run("ours", url, pages));
      }
    }
    const results = new Map([...rounds].map(([name, measured]) => [name, middle(measured)]));
    console.log([titles[0]!.padEnd(30), ...titles.slice(1)].join("  "));
    for (const [name, measured] of results) console.log(row(contenders[name]!.name, measured));
    judge(results);
  });
}

/** Memory around page 2,000 and page 10,000 of one crawl: the mean of five samples, a hundred pages apart. */
async function long(kind: string): Promise<void> {
  const measured = await withSite(kind, 10_000, (url) => run("ours", url, 10_000));
  const around = (page: number): number => {
    const samples = measured.rss.slice(page / 100 - 5, page / 100);
    return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  };
  const [early, late] = [around(2000), around(10_000)];
  console.log(row(contenders["ours"]!.name, measured));
  verdict(
    late <= early * 1.15,
    `RSS: ${early.toFixed(0)} MB at page 2,000, ${late.toFixed(0)} MB at page 10,000 (expected: within 15 %)`,
  );
}

const usual = values.corpora === undefined ? ["real", "light"] : ["real", "light", "corpora"];
const sites = values.site?.split(",") ?? usual;
if (sites.includes("corpora") && values.corpora === undefined) throw new Error("Give the folder of the page sets.");
execFileSync("npm", ["run", "--silent", "build"], { cwd: join(import.meta.dirname, "../.."), stdio: "inherit" });
for (const kind of sites) {
  await (values.long ? long(kind) : compare(kind, Number(values.pages)));
}
