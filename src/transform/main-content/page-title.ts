/** The page's title, from its head, and the hashes of its words. */
import { isTag, isText } from "domhandler";
import type { PageTable } from "./page-table.ts";
import { countText, STATISTIC_COUNT } from "./text-statistics.ts";

const MAXIMUM_WORDS = 40;

export function readTitle(table: PageTable): string | undefined {
  let fromMeta: string | undefined;
  for (const node of table.dropped) {
    if (!isTag(node)) continue;
    if (node.name === "title" && (node.parent === null || !isTag(node.parent) || node.parent.name !== "svg")) {
      const text = node.children
        .map((child) => (isText(child) ? child.data : ""))
        .join("")
        .trim();
      if (text !== "") return text;
    }
    if (node.name === "meta" && node.attribs["property"] === "og:title") fromMeta ??= node.attribs["content"];
  }
  return fromMeta;
}

export function titleWordHashes(title: string | undefined): ReadonlySet<number> {
  const words = { hashes: new Int32Array(MAXIMUM_WORDS), count: 0 };
  if (title !== undefined) countText(title.slice(0, 400), new Float32Array(STATISTIC_COUNT), 0, words);
  return new Set(words.hashes.subarray(0, words.count));
}
