/** Keeps the tables and lists that kept texts announce, and a chapter's contents: those full of links read like menus. */
import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { headingRank } from "./element-totals.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const TABLE = tagId("table");
const LINK = tagId("a");
const LISTS = new Set(["ul", "ol"].map(tagId));
/** What converters of manuals call the contents of a chapter. */
const contentsName = classNamed("toc|toctree-wrapper");
const CONTENTS = meaningBit("toc");
const announces = /[:：\u17d6]\s*$/;
/** In words; a shorter line above links is the name of a box. */
const LEAST_WORDS = 4;

/**
 * Adds to `keep`, in place, what lies between two kept texts and is a table right below a heading, a list right below a
 * colon, or the contents of a chapter.
 */
export function keepAnnounced(table: PageTable, keep: Uint8Array): void {
  const { blockElement, elements, end, meanings, tag } = table;
  let block = 0;
  for (let element = 0; element < tag.length; element++) {
    const isTable = tag[element] === TABLE;
    const isContents = (meanings[element]! & CONTENTS) !== 0 && isContentsOfChapter(elements[element]!);
    if (!isTable && !isContents && !LISTS.has(tag[element]!)) continue;
    while (block < keep.length && blockElement[block]! < element) block++;
    const first = block;
    // Text after it may belong to an element around it, which has a lower index.
    while (block < keep.length && blockElement[block]! >= element && blockElement[block]! < end[element]!) block++;
    if (first === 0 || first === block || keep[first - 1] === 0 || keep[block] !== 1) continue;
    const isHeading = headingRank(table, first - 1) > 0;
    const belongs = isTable ? isHeading : !isHeading && endsInColon(table, first - 1);
    if (belongs || (isContents && leadsOn(table, element))) keep.fill(1, first, block);
  }
}

const isContentsOfChapter = ({ attribs }: Element): boolean => contentsName.test(attribs["class"] ?? "");

/** Whether all links in an element lead to other pages. */
function leadsOn({ elements, end, tag }: PageTable, around: number): boolean {
  for (let element = around + 1; element < end[around]!; element++) {
    if (tag[element] === LINK && elements[element]!.attribs["href"]?.startsWith("#")) return false;
  }
  return true;
}

function endsInColon(table: PageTable, block: number): boolean {
  const words = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
  return words >= LEAST_WORDS && announces.test(table.texts[table.firstText[block + 1]! - 1]!.data);
}
