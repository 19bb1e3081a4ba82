/** Scores chosen blocks with the corpus's scorer, set by set, through the real pruning and the markdown writer. */
import { baseUrl, makeUrlsAbsolute } from "../../src/transform/absolute-urls.ts";
import { clean } from "../../src/transform/clean.ts";
import { chooseBlocks } from "../../src/transform/main-content/choose-blocks.ts";
import { buildPageTable } from "../../src/transform/main-content/page-table.ts";
import { pruneTree } from "../../src/transform/main-content/prune-tree.ts";
import { logistic } from "../../src/transform/main-content/tree-ensemble.ts";
import { toMarkdown } from "../../src/transform/markdown.ts";
import { readHtml } from "../../src/transform/read-html.ts";
import type { Scorer } from "./labels.ts";
import type { PageRows, TrainingRows } from "./training-rows.ts";

const figure = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? "  -  " : value.toFixed(3);

export function writeChosen({ html, page }: PageRows, keep: Uint8Array): string {
  const read = readHtml(html);
  pruneTree(
    buildPageTable(read.document, () => 0),
    keep,
  );
  clean(read.document, { rendered: false });
  makeUrlsAbsolute(read.document, baseUrl(read, page.url));
  return toMarkdown(read.document, { pageUrls: [page.url], removeBase64Images: true });
}

export function reportRows(rows: TrainingRows, sums: Float32Array, scorer: Scorer, name: string): unknown[] {
  const scored = rows.pages.map((one) => {
    const { page, from, blocks } = one;
    const chances = sums.slice(from, from + blocks).map(logistic);
    const keep = chooseBlocks(
      chances,
      rows.words.slice(from, from + blocks).map((words) => words + 0.3),
    );
    const out = { text: writeChosen(one, keep), format: "markdown" };
    return { page, row: scorer.scorePage(page, out, "markdown") };
  });
  console.log(`# ${name}`);
  const line = (label: string, some: typeof scored): void => {
    const a = scorer.aggregate(some.map(({ row }) => row));
    const structure = a.st
      ? ` structure ${figure(a.struct)} ${Object.entries(a.st)
          .map(([kind, { recall, kept }]) => `${kind} ${figure(recall)}(${figure(kept)})`)
          .join(" ")}`
      : "";
    console.log(
      `${label.padEnd(15)} shingles ${figure(a.shF1)} ${figure(a.shP)} ${figure(a.shR)} words ${figure(a.wF1)} ` +
        `${figure(a.wP)} ${figure(a.wR)} snippets ${figure(a.snF1)} ${figure(a.with)} ${figure(a.without)}${structure}`,
    );
  };
  for (const set of new Set(scored.map(({ page }) => page.set))) {
    const some = scored.filter(({ page }) => page.set === set);
    line(set, some);
    if (set !== "wcxb") continue;
    for (const type of [...new Set(some.map(({ page }) => page.type))].sort()) {
      line(
        `  ${type}`,
        some.filter(({ page }) => page.type === type),
      );
    }
  }
  return scored.map(({ row }) => row);
}
