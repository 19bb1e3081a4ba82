/** What a page's head says: its title, with the hashes of its words, and whether it is about a product. */
import { isTag } from "domhandler";
import { ownText } from "../html/walk.ts";
import type { PageTable } from "./page-table.ts";
import { hashWords } from "./text-statistics.ts";

const MAXIMUM_WORDS = 40;

export function readTitle(table: PageTable): string | undefined {
  let fromMeta: string | undefined;
  for (const node of table.dropped) {
    if (!isTag(node)) continue;
    if (node.name === "title" && (node.parent === null || !isTag(node.parent) || node.parent.name !== "svg")) {
      const text = ownText(node).trim();
      if (text !== "") return text;
    }
    if (node.name === "meta" && node.attribs["property"] === "og:title") fromMeta ??= node.attribs["content"];
  }
  return fromMeta;
}

export function titleWordHashes(title: string | undefined): ReadonlySet<number> {
  return new Set(title === undefined ? [] : hashWords(title.slice(0, 400), MAXIMUM_WORDS));
}

/** Whether the head says that the page is about a product; it seldom says so of lists of them. */
export function isDeclaredProduct({ dropped }: PageTable): boolean {
  return dropped.some(
    (node) => isTag(node) && node.attribs["property"] === "og:type" && node.attribs["content"]?.trim() === "product",
  );
}
