/** The JSON-LD of a page, as it is written in its scripts. */
import { isText } from "domhandler";
import type { PageTable } from "./page-table.ts";

export function jsonLdTexts({ scripts }: Pick<PageTable, "scripts">): string[] {
  const texts: string[] = [];
  for (const { attribs, children } of scripts) {
    const first = children[0];
    if (attribs["type"] === "application/ld+json" && first !== undefined && isText(first)) texts.push(first.data);
  }
  return texts;
}

/** Tags in what the data says: some sites declare a text as it is in the page. */
export const markup = /<[^<>]{0,400}>/g;
