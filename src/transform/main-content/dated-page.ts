/** Recognises articles of newspapers, journals and blogs by the date or the author that they name. */
import { isTag } from "domhandler";
import { blockText } from "./block-text.ts";
import { jsonLdTexts } from "./json-ld-texts.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const TIME = tagId("time");
const MAXIMUM_SCRIPT = 60_000;
const className =
  /(?:^|[\s_-])(?:by-?line|author|date-?line|date|pub-?date|published|posted)(?:$|[\s_-])|(?:Author|Date)(?:$|[\s_-])/;
const metaName = /^(?:article:|author$|(?:dc\.|dcterms\.)?date|pubdate|publish|citation_)/i;
const declaredType = /"datePublished"|"@type"\s{0,9}:\s{0,9}"(?:\w{0,20}Article|BlogPosting)"/;
/** A day: `2026-11-24`, `24.11.2026`, `2026年11月24日`, `24 November 2026`, `Nov. 24, 2026`. */
const day =
  /(?:19|20)\d\d\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d|\d[-./]\d{1,2}[-./](?:19|20)\d\d|\d\.?\s\p{L}{3,12}\.?,?\s(?:19|20)\d\d|\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d/u;
/** Blocks before and after the title, and characters of each, in which a day is searched for. */
const REACH = 3;
const LONGEST = 120;

/** @param title the block that is the page's title */
export function isDatedPage(table: PageTable, title: number): boolean {
  return hasDayBeside(table, title) || declaresDate(table);
}

/** True if the markup says when the page was written, or by whom, whatever its text says. */
export function declaresDate(table: PageTable): boolean {
  const { dropped, names, tag } = table;
  if (tag.includes(TIME)) return true;
  if (names.classes().some((classes) => className.test(classes))) return true;
  if (dropped.some((node) => isTag(node) && node.name === "meta" && isDatingMeta(node.attribs))) return true;
  return jsonLdTexts(table).some((text) => declaredType.test(text.slice(0, MAXIMUM_SCRIPT)));
}

function hasDayBeside(table: PageTable, title: number): boolean {
  const end = Math.min(table.blockElement.length, title + REACH + 1);
  for (let block = Math.max(0, title - REACH); block < end; block++) {
    if (day.test(blockText(table, block, LONGEST).slice(0, LONGEST))) return true;
  }
  return false;
}

function isDatingMeta({ name, property = name, content }: Record<string, string>): boolean {
  if (property === undefined) return false;
  return metaName.test(property) || (property === "og:type" && content === "article");
}
