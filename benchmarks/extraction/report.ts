/** Scores chosen blocks as plain text with the corpus's scorer, set by set. */
import { chooseBlocks } from "../../src/transform/main-content/choose-blocks.ts";
import { logistic } from "../../src/transform/main-content/tree-ensemble.ts";
import type { Scorer } from "./labels.ts";
import type { TrainingRows } from "./training-rows.ts";

const figure = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? "  -  " : value.toFixed(3);

export function reportRows(rows: TrainingRows, sums: Float32Array, scorer: Scorer, name: string): void {
  const scored = rows.pages.map(({ page, from, blocks, texts }) => {
    const chances = sums.slice(from, from + blocks).map(logistic);
    const keep = chooseBlocks(
      chances,
      rows.words.slice(from, from + blocks).map((words) => words + 0.3),
    );
    const text = texts.filter((_, block) => keep[block] === 1).join("\n");
    return { page, row: scorer.scorePage(page, { text, format: "text" }, "text") };
  });
  console.log(`# ${name}`);
  const line = (label: string, some: typeof scored): void => {
    const a = scorer.aggregate(some.map(({ row }) => row));
    console.log(
      `${label.padEnd(17)} shingles ${figure(a["shF1"])} ${figure(a["shP"])} ${figure(a["shR"])}  words ${figure(a["wF1"])} ` +
        `${figure(a["wP"])} ${figure(a["wR"])}  snippets ${figure(a["snF1"])} ${figure(a["with"])} ${figure(a["without"])}`,
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
