/** Scores chosen blocks with the corpus's scorer, set by set, after the real pruning and markdown conversion. */
import { finish } from "../../src/shared/turn.ts";
import { baseUrl, makeUrlsAbsolute, urlResolver } from "../../src/transform/absolute-urls.ts";
import { clean } from "../../src/transform/clean.ts";
import { readHtml } from "../../src/transform/html/read-html.ts";
import { decideBlocks } from "../../src/transform/main-content/choose-blocks.ts";
import { buildPageTable } from "../../src/transform/main-content/page-table.ts";
import { readTitle } from "../../src/transform/main-content/page-title.ts";
import { likeliestType } from "../../src/transform/main-content/page-type.ts";
import { pruneTree } from "../../src/transform/main-content/prune-tree.ts";
import { readSmallPage } from "../../src/transform/main-content/small-page.ts";
import { toMarkdown } from "../../src/transform/markdown/to-markdown.ts";
import type { Scorer } from "./scorer.ts";
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
  makeUrlsAbsolute(read.document, urlResolver(baseUrl(read, page.url)));
  return toMarkdown(read.document, { pageUrls: [page.url], removeBase64Images: true });
}

export function reportRows(
  rows: TrainingRows,
  sums: Float32Array,
  types: readonly Float32Array[],
  scorer: Scorer,
  name: string,
): void {
  const scored = rows.pages.map((one, index) => {
    const { page, from, blocks } = one;
    const sizes = rows.words.slice(from, from + blocks).map((words) => words + 0.3);
    const small = readSmallPage(one.table, sizes);
    const type = likeliestType(types[index]!);
    const keep = finish(
      decideBlocks(one.table, type, sums.slice(from, from + blocks), sizes, small, readTitle(one.table), one.totals),
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
}

/** Reports for how many pages of known type that type is recognised, by models that have not seen their hosts. */
export function reportTypes(rows: TrainingRows, scores: readonly Float32Array[]): void {
  const confusions = new Map<string, number>();
  let right = 0;
  let all = 0;
  rows.pages.forEach(({ page }, index) => {
    if (page.set !== "wcxb") return;
    const type = likeliestType(scores[index]!);
    all++;
    if (type === page.type) right++;
    else confusions.set(`${page.type} > ${type}`, (confusions.get(`${page.type} > ${type}`) ?? 0) + 1);
  });
  const worst = [...confusions].sort(([, one], [, other]) => other - one).slice(0, 8);
  console.log(
    `# page types right: ${figure(right / all)}; ${worst.map(([pair, count]) => `${pair} ${count}`).join(", ")}`,
  );
}
