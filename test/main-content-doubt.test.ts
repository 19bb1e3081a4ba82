// Given what the model says of each block, which are kept where it is in doubt.
import { expect, test } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { decideBlocks } from "../src/transform/main-content/choose-blocks.ts";
import { totalElements } from "../src/transform/main-content/element-totals.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import type { PageType } from "../src/transform/main-content/page-type.ts";

const SURE = 4;
const WORDS = 20;

interface Judged {
  readonly text: string;
  readonly sum: number;
}

/** The texts that are kept of a page, each a paragraph in a card of its own or not. */
function kept(pageType: PageType, texts: readonly Judged[], inCards: boolean): string[] {
  const parts = texts.map(({ text }) =>
    inCards ? `<div class="card"><h3>One</h3><p>${text}</p></div>` : `<p>${text}</p>`,
  );
  const { document } = readHtml(`<title>Page</title><main>${parts.join("")}</main>`);
  const table = buildPageTable(document, () => 0);
  const said = (block: number): string => table.texts[table.firstText[block]!]!.data;
  const sums = Float32Array.from(table.blockElement, (_, block) => {
    return texts.find(({ text }) => text === said(block))?.sum ?? SURE;
  });
  const sizes = new Float32Array(sums.length).fill(WORDS);
  const keep = finish(decideBlocks(table, pageType, sums, sizes, undefined, "Page", totalElements(table)));
  return texts
    .filter(({ text }) => sums.some((_, block) => keep[block] === 1 && said(block) === text))
    .map(({ text }) => text);
}

const texts = (count: number, name: string, sum: number): Judged[] =>
  Array.from({ length: count }, (_, index) => ({ text: `${name} ${index}`, sum }));

test("a doubt about much more text than the page surely has is one doubt: an article without its comments", () => {
  const page = [...texts(8, "Paragraph", SURE), ...texts(60, "Comment", -0.9)];
  expect(kept("article", page, false)).toEqual(texts(8, "Paragraph", SURE).map(({ text }) => text));
  expect(kept("listing", page, false)).toHaveLength(68);
});

test("a doubtful text goes with its likes in the other cards, whatever its length; one that is sure does not", () => {
  const others = texts(7, "Card", 1.5);
  expect(kept("service", [...others, { text: "Doubtful", sum: -0.6 }], true)).toContain("Doubtful");
  expect(kept("service", [...others, { text: "Doubtful", sum: -3.5 }], true)).not.toContain("Doubtful");
  const gone = texts(7, "Card", -2.5);
  expect(kept("service", [...gone, { text: "Doubtful", sum: 0.6 }], true)).not.toContain("Doubtful");
});

test("up to two texts that are hardly doubtful stay between texts that are sure", () => {
  const between = (count: number, sum: number): number => {
    const page = [...texts(6, "Before", SURE), ...texts(count, "Doubtful", sum), ...texts(6, "After", SURE)];
    return kept("article", page, false).filter((text) => text.startsWith("Doubtful")).length;
  };
  expect(between(1, -0.3)).toBe(1);
  expect(between(2, -0.3)).toBe(2);
  expect(between(3, -0.3)).toBe(0);
  expect(between(2, -0.6)).toBe(0);
});
