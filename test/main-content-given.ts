// Which texts are kept if the model is sure of each, except where the page says otherwise in `data-sum`.

import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { blockText } from "../src/transform/main-content/block-text.ts";
import { decideBlocks } from "../src/transform/main-content/choose-blocks.ts";
import { totalElements } from "../src/transform/main-content/element-totals.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import { readTitle } from "../src/transform/main-content/page-title.ts";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { STATISTIC, STATISTIC_COUNT } from "../src/transform/main-content/text-statistics.ts";

const SURE = 3;

/** The kept texts, in order. A `data-sum` counts for all blocks in its element. */
export function keptOf(pageType: PageType, html: string): string[] {
  const table = buildPageTable(readHtml(html).document, () => 0);
  const blocks = Array.from(table.blockElement.keys());
  const sumOf = (block: number): number => {
    for (let element = table.blockElement[block]!; element >= 0; element = table.parent[element]!) {
      const sum = table.elements[element]!.attribs["data-sum"];
      if (sum !== undefined) return Number(sum);
    }
    return SURE;
  };
  const sums = Float32Array.from(blocks, sumOf);
  const sizes = Float32Array.from(
    blocks,
    (block) => table.statistics[block * STATISTIC_COUNT + STATISTIC.words]! + 0.3,
  );
  const keep = finish(decideBlocks(table, pageType, sums, sizes, undefined, readTitle(table), totalElements(table)));
  return blocks
    .filter((block) => keep[block] === 1)
    .map((block) => blockText(table, block).replace(/\s+/g, " ").trim());
}

/** A paragraph of some twenty words, about `what`. */
export const paragraph = (what: string): string => `<p>${said(what)}</p>`;

export const said = (what: string): string =>
  `The keeper wrote about ${what}, because nobody else on the island had looked at it since the winter storms were over.`;
