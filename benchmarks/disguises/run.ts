/**
 * Measures how much the main content depends on what a page says about itself: its language, its names, its head.
 *
 *   node benchmarks/disguises/run.ts --corpora FOLDER [--set wcxb] [--peers]
 *
 * Each page is changed in ways that do not change what its main content is, and scored against the text expected of it,
 * changed likewise. `--peers` runs Readability and Defuddle as well.
 */
import { parseArgs } from "node:util";
import { transform } from "../../src/transform/transform.ts";
import { type CorpusPage, readCorpus, readPage } from "../extraction/corpus.ts";
import { loadScorer } from "../extraction/scorer.ts";
import { inputOf } from "../transform/corpus.ts";
import { disguises } from "./disguises.ts";

const { values: options } = parseArgs({
  options: {
    corpora: { type: "string" },
    set: { type: "string", default: "wcxb" },
    peers: { type: "boolean", default: false },
  },
});
if (options.corpora === undefined) throw new Error("--corpora <path> is needed");

type Extract = (html: string, url: string) => Promise<string>;

const contenders: Record<string, Extract> = {
  crawlcore: async (html, url) => (await transform(inputOf(new TextEncoder().encode(html), url))).markdown ?? "",
};
if (options.peers) Object.assign(contenders, (await import("../extraction/peers.ts")).PEERS);

const scorer = await loadScorer(options.corpora);
const pages = readCorpus(options.corpora, [options.set]).filter(({ text }) => text !== undefined);
const types = [...new Set(pages.map(({ type }) => type))];
const columns = types.length > 1 ? types : [];

console.log(`words F1, ${pages.length} pages of ${options.set}`);
for (const [name, extract] of Object.entries(contenders)) {
  console.log([name.padEnd(28), "  all", ...columns].join("  "));
  for (const { name: disguise, page: change, text = (same: string) => same, unspaced = false } of disguises) {
    const rows: { readonly type: string; readonly score: unknown }[] = [];
    for (const page of pages) {
      const markdown = await extract(change(readPage(page)), page.url).catch(() => "");
      const expected: CorpusPage = { ...page, text: text(page.text!), ...(unspaced ? { cjk: true } : {}) };
      const score = scorer.scorePage(expected, { text: markdown, format: "markdown" }, "markdown");
      rows.push({ type: page.type, score });
    }
    const f1 = (some: typeof rows): string =>
      (scorer.aggregate(some.map(({ score }) => score)).wF1 ?? Number.NaN).toFixed(3);
    const cells = columns.map((type) => f1(rows.filter((row) => row.type === type)).padStart(type.length));
    console.log([disguise.padEnd(28), f1(rows), ...cells].join("  "));
  }
}
