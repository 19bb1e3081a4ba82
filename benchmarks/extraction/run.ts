/**
 * Measures main-content extraction: `npm run bench:extraction -- --corpora <path>`.
 *
 * Prints this engine's figures beside those expected of it and those of others. The figures become floors in
 * `floors.json`: a plain run only raises them, `--lower` also lowers them, and `--check` writes nothing but fails if a
 * figure is below its floor. `--peers` runs Readability and Defuddle as well. The folder contains page sets and their
 * scorer, `score.mjs`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { transform } from "../../src/transform/transform.ts";
import { inputOf } from "../transform/corpus.ts";
import { type CorpusPage, readCorpus, readPage } from "./corpus.ts";
import { MEASURES, type Measure } from "./expectations.ts";
import { loadScorer, type Scorer } from "./scorer.ts";

const { values: options } = parseArgs({
  options: {
    corpora: { type: "string" },
    check: { type: "boolean", default: false },
    lower: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
  },
});
if (options.corpora === undefined) throw new Error("--corpora <path> is needed");
const floorsFile = new URL("floors.json", import.meta.url);
/** Figures are stored in steps of this size; smaller differences do not count. */
const STEP = 1e-3;

type Row = { readonly page: CorpusPage; readonly score: unknown };
const pages = readCorpus(options.corpora);
const sets = new Set(pages.map(({ set }) => set));
const scorer = await loadScorer(options.corpora);
const times: number[] = [];
const ours = await scoreAll(async (html, page) => {
  const body = new TextEncoder().encode(html);
  const start = performance.now();
  const { markdown } = await transform(inputOf(body, page.url));
  if (page.set === "wcxb" || page.set === "scrapinghub") times.push(performance.now() - start);
  return markdown ?? "";
});
const others: Record<string, Row[]> = {};
if (options.peers) {
  const { PEERS } = await import("./peers.ts");
  for (const [name, peer] of Object.entries(PEERS)) {
    others[name] = await scoreAll((html, page) => peer(html, page.url).catch(() => ""));
  }
}

const reached = printTable();
if (times.length > 0) {
  times.sort((one, other) => one - other);
  const at = (share: number): string => times[Math.floor(times.length * share)]!.toFixed(2);
  console.log(`\ntransform on wcxb and scrapinghub: median ${at(0.5)} ms, p95 ${at(0.95)} ms a page`);
}
keepFloors(reached);

async function scoreAll(extract: (html: string, page: CorpusPage) => Promise<string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const page of pages) {
    const text = await extract(readPage(page), page);
    rows.push({ page, score: scorer.scorePage(page, { text, format: "markdown" }, "markdown") });
  }
  return rows;
}

function figure(rows: readonly Row[], { set, type, figure: name }: Measure): number {
  const some = rows.filter(({ page }) => page.set === set && (type === undefined || page.type === type));
  const aggregate: ReturnType<Scorer["aggregate"]> = scorer.aggregate(some.map(({ score }) => score));
  if (name in aggregate) return aggregate[name as "wF1"] ?? Number.NaN;
  return aggregate.st?.[name]?.recall ?? Number.NaN;
}

function printTable(): Record<string, number> {
  const reached: Record<string, number> = {};
  console.log(["score".padEnd(26), " ours", "expected", ...Object.keys(others), "recorded best peer"].join("  "));
  for (const measure of MEASURES.filter(({ set }) => sets.has(set))) {
    const own = figure(ours, measure);
    reached[[measure.set, measure.type, measure.figure].filter(Boolean).join(" ")] = Math.floor(own / STEP) * STEP;
    const cells = Object.entries(others).map(([name, rows]) => figure(rows, measure).toFixed(3).padStart(name.length));
    const goal = measure.expected === undefined ? "" : measure.expected.toFixed(3);
    const short = measure.expected !== undefined && own < measure.expected ? " below" : "";
    console.log(
      [measure.name.padEnd(26), own.toFixed(3), goal.padEnd(8), ...cells, (measure.peer ?? "") + short].join("  "),
    );
  }
  return reached;
}

function keepFloors(figures: Record<string, number>): void {
  const floors: Record<string, number> = existsSync(floorsFile) ? JSON.parse(readFileSync(floorsFile, "utf8")) : {};
  // Floors of sets that are not in the folder stay as they are.
  const measured = Object.entries(floors).filter(([name]) => name in figures);
  const fallen = measured.filter(([name, floor]) => !(figures[name]! >= floor - STEP / 2));
  for (const [name, floor] of fallen) console.log(`below its floor: ${name} ${figures[name]?.toFixed(3)} < ${floor}`);
  if (options.check) {
    process.exitCode = fallen.length > 0 ? 1 : 0;
    return;
  }
  const kept = Object.entries(figures).map(([name, value]): [string, number] => {
    const best = options.lower ? value : Math.max(value, floors[name] ?? 0);
    return [name, Math.round(best / STEP) / (1 / STEP)];
  });
  writeFileSync(floorsFile, `${JSON.stringify({ ...floors, ...Object.fromEntries(kept) }, null, 2)}\n`);
}
