/** The JSON-LD of a page, as it is written in its scripts. */
import { ownText } from "../html/walk.ts";
import { isJsonLd } from "../structured-data/json-ld-text.ts";
import type { PageTable } from "./page-table.ts";

export function jsonLdTexts({ scripts }: Pick<PageTable, "scripts">): string[] {
  return scripts.filter(isJsonLd).map(ownText);
}

/** Tags in what the data says: some sites declare a text as it is in the page. */
export const markup = /<[^<>]{0,400}>/g;
