/**
 * How much of the content of manuals is found? Their generators mark it, and the model was trained on none of them.
 *
 *   node benchmarks/manuals/run.ts [--root /usr/share] [--pages 8] [--peers]
 *
 * The pages come with Debian's packages of documentation: `--packages` prints their names for `apt-get install`.
 */
import { parseArgs } from "node:util";
import { transform } from "../../src/transform/transform.ts";
import { inputOf } from "../transform/corpus.ts";
import { manuals } from "./generators.ts";
import { type ManualPage, readPages, wordsOf } from "./pages.ts";

const { values: options } = parseArgs({
  options: {
    root: { type: "string", default: "/usr/share" },
    pages: { type: "string", default: "8" },
    peers: { type: "boolean", default: false },
    packages: { type: "boolean", default: false },
  },
});

type Extract = (html: string, url: string) => Promise<string>;
interface Score {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

const engines: Record<string, Extract> = {
  async ours(html, url) {
    const { markdown } = await transform(inputOf(new TextEncoder().encode(html), url));
    return markdown ?? "";
  },
};
if (options.peers) Object.assign(engines, (await import("../extraction/peers.ts")).PEERS);

/** Compares words regardless of their order; addresses of links are no words. */
function score({ words }: ManualPage, markdown: string): Score {
  const found = wordsOf(markdown.replace(/\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g, "]"));
  const open = new Map<string, number>();
  for (const word of words) open.set(word, (open.get(word) ?? 0) + 1);
  let right = 0;
  for (const word of found) {
    const count = open.get(word) ?? 0;
    if (count === 0) continue;
    right++;
    open.set(word, count - 1);
  }
  const precision = found.length === 0 ? 0 : right / found.length;
  const recall = right / words.length;
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

function mean(scores: readonly Score[]): Score {
  const of = (key: keyof Score): number => scores.reduce((sum, one) => sum + one[key], 0) / scores.length;
  return { f1: of("f1"), precision: of("precision"), recall: of("recall") };
}

const row = (name: string, pages: number, cells: readonly Score[]): string =>
  [
    name.padEnd(22),
    String(pages).padStart(5),
    ...cells.map(({ f1, precision, recall }) => [f1, precision, recall].map((each) => each.toFixed(3)).join(" ")),
  ].join("  ");

async function run(): Promise<void> {
  console.log(
    ["words F1, precision, recall".padEnd(29), ...Object.keys(engines).map((name) => name.padEnd(17))].join("  "),
  );
  const all = Object.keys(engines).map((): Score[] => []);
  for (const manual of manuals) {
    const pages = readPages(manual, options.root, Number(options.pages));
    if (pages.length === 0) continue;
    const scores = Object.keys(engines).map((): Score[] => []);
    for (const page of pages) {
      for (const [index, extract] of Object.values(engines).entries()) {
        scores[index]!.push(score(page, await extract(page.html, page.url).catch(() => "")));
      }
    }
    for (const [index, some] of scores.entries()) all[index]!.push(...some);
    console.log(row(manual.generator, pages.length, scores.map(mean)));
  }
  if (all[0]!.length === 0) throw new Error(`There are no manuals in ${options.root}: see --packages`);
  console.log(row("all", all[0]!.length, all.map(mean)));
}

if (options.packages) console.log([...new Set(manuals.flatMap(({ packages }) => packages))].join(" "));
else await run();
