/**
 * Finds what leads to the pages before and after: manuals put it into tables, which otherwise contain facts, and into
 * lines of text, archives of letters into lists.
 */
import type { Element } from "domhandler";
import { following, isElement, textContent } from "../html/walk.ts";
import type { PageTable } from "./page-table.ts";
import { LISTS } from "./tag-sets.ts";
import { BLOCK, tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const TABLE = tagId("table");
const LINK = tagId("a");
const PICTURE = tagId("img");
const ITEM = tagId("li");
/** Larger tables are not looked into. */
const MOST_ELEMENTS = 100;
/** A pager may also say where the reader is: the titles of the page and of its chapter. */
const MOST_WORDS = 15;
/** The same if all its links lead to the page before, after or above. */
const MOST_WORDS_OF_TURNS = 40;
/** The share of its links that lead around the manual. */
const LEAST_SHARE = 0.6;
/** The same for a list: the share of its items that name a link so. Others lead to all pages, in one order or another. */
const LEAST_SHARE_OF_ITEMS = 0.5;
/** How far up from a link the line around it is searched for. */
const REACH = 5;
const LABEL_LENGTH = 60;
/** An arrow has nothing beside it but white space. */
const MOST_BESIDE = 3;

const before = "prev(?:ious)?|zurück|précédente?|anterior|indietro|назад|上一[页頁章节節]|前へ|戻る";
const after = "next|weiter|suivante?|siguiente|próximo|avanti|далее|вперёд|下一[页頁章节節]|次へ";
const way = `${before}|${after}|up|back|nach oben`;
const place = "home|top|toc|(?:table of )?contents|index|help";
const other = "[^\\p{L}\\p{N}]*";
/** Only an arrow, or only a word for a way or a place. */
const arrow = new RegExp(`^${other}(?:[<«‹←⟵>»›→⟶^]|${way}|${place})${other}$`, "iu");
/** The same for a link's text, which may name the page it leads to. Guillemets on both sides quote something. */
const turnsPage = new RegExp(
  `^[\\s([]*(?:[<‹←⟵]|«(?!.*»)|(?:${way})(?:$|[^\\p{L}\\p{N}]))|^${other}[>›→⟶»^]${other}$`,
  "iu",
);
const page = "page|chapter|section|seite|kapitel|abschnitt|chapitre|página|capítulo|capitolo|pagina|страница|глава";
/** The way and no other name, or a name behind a sign: if it is the only link, `Next tour` is a fact of a table. */
const turnsAlone = new RegExp(
  `^[\\s([]*(?:${way})\\s*(?:(?:${page})\\s*)?(?:$|[^\\p{L}\\p{N}\\s])|^${other}[<‹←⟵«>›→⟶»^]`,
  "iu",
);
/** An arrow behind the name of a page. Without another sign of a pager, it invites readers to anything. */
const pointsOn = /(?:[>›→⟶]|(?<!«.*)»)[\s)\]]*$/u;
/** What stands before a link in a list: its first word and a colon, which tells it from a text. */
const namesBefore = new RegExp(`^\\s*(?:${before})(?![\\p{L}\\p{N}])[^:：]*[:：]\\s*$`, "iu");
const namesAfter = new RegExp(`^\\s*(?:${after})(?![\\p{L}\\p{N}])[^:：]*[:：]\\s*$`, "iu");
const leadsAround = new RegExp(`^[\\s([]*(?:${place}|\\?)[\\s)\\]]*$`, "i");
/** The keys that generators of manuals give to these links. */
const keys = new Set(["p", "n", "u", "h"]);

/** The tables, lines and lists that contain little else than links to the pages before, after and above. */
export function findPagers(table: PageTable): number[] {
  const { blockElement, end, statistics } = table;
  const pagers = findLists(table);
  let first = 0;
  for (const element of mayBePagers(table)) {
    if (end[element]! - element > MOST_ELEMENTS) continue;
    const most = mostWords(table, element);
    if (most === 0) continue;
    while (first < blockElement.length && blockElement[first]! < element) first++;
    let words = 0;
    for (let block = first; block < blockElement.length && blockElement[block]! < end[element]!; block++) {
      // Text around the table has a lower index.
      if (blockElement[block]! < element) break;
      const row = block * STATISTIC_COUNT;
      words += statistics[row + STATISTIC.words]! - statistics[row + STATISTIC.linkWords]!;
    }
    if (words <= most) pagers.push(element);
  }
  return pagers;
}

/** Lists of which at least every second item says which way its link leads, both ways: `Next by date: …`. */
function findLists({ elements, end, parent, tag }: PageTable): number[] {
  const lists: number[] = [];
  let last = -1;
  for (let first = tag.indexOf(ITEM); first >= 0; first = tag.indexOf(ITEM, first + 1)) {
    const list = parent[first]!;
    // Each list is looked at once, by its first item.
    if (list <= last || !LISTS.has(tag[list]!)) continue;
    last = list;
    if (end[list]! - list > MOST_ELEMENTS) continue;
    let items = 0;
    let toBefore = 0;
    let toAfter = 0;
    for (let item = first; item < end[list]!; item = end[item]!) {
      const label = labelBefore(elements[item]!);
      if (namesBefore.test(label)) toBefore++;
      else if (namesAfter.test(label)) toAfter++;
      // Nearly all lists are done with after their first item.
      else if (items === 0) break;
      items++;
    }
    if (toBefore > 0 && toAfter > 0 && toBefore + toAfter >= LEAST_SHARE_OF_ITEMS * items) lists.push(list);
  }
  return lists;
}

/** The text before the first link of an item; nothing if there is no link, or the text is long. */
function labelBefore(item: Element): string {
  let text = "";
  for (let node = following(item, item, true); node !== null; node = following(node, item, true)) {
    if (isElement(node) && node.name === "a") return text;
    if (node.type === "text") text += node.data;
    if (text.length > LABEL_LENGTH) return "";
  }
  return "";
}

/**
 * All tables, and what is around each link whose relation is the page before, after or above; in order. Keys are not
 * enough for a line: some sites give them to any link.
 */
function mayBePagers({ elements, flags, parent, tag }: PageTable): Iterable<number> {
  const found = new Set<number>();
  for (let element = 0; element < tag.length; element++) {
    if (tag[element] === TABLE) found.add(element);
    if (tag[element] !== LINK || !isRelated(elements[element]!)) continue;
    let around = parent[element]!;
    for (let step = 0; step < REACH && around > 0 && (flags[around]! & BLOCK) === 0; step++) around = parent[around]!;
    if (around > 0) found.add(around);
  }
  return [...found].sort((one, other) => one - other);
}

/** How many words a pager with these links may have; 0 if they are not those of a pager. */
function mostWords({ elements, end, tag }: PageTable, around: number): number {
  let links = 0;
  let turns = 0;
  let arrows = 0;
  let others = 0;
  let isSure = false;
  for (let element = around + 1; element < end[around]!; element++) {
    if (tag[element] !== LINK || elements[element]!.attribs["href"] === undefined) continue;
    links++;
    const link = elements[element]!;
    const label = labelOf(link);
    isSure ||= isMarked(link) || turnsAlone.test(label);
    if (isMarked(link) || turnsPage.test(label)) turns++;
    else if (pointsOn.test(label)) arrows++;
    else if (leadsAround.test(label)) others++;
  }
  if (turns + (arrows > 0 ? others : 0) === 0) return 0;
  if (links === 1 && !isSure) return 0;
  turns += arrows;
  if (turns + others < LEAST_SHARE * links) return 0;
  return turns === links ? MOST_WORDS_OF_TURNS : MOST_WORDS;
}

/** Says in a way that no language changes that it leads around a manual. */
function isMarked(link: Element): boolean {
  return keys.has(link.attribs["accesskey"] ?? "") || isRelated(link);
}

const relations: ReadonlySet<string | undefined> = new Set(["prev", "next", "up"]);
const isRelated = ({ attribs }: Element): boolean => relations.has(attribs["rel"]);

/** The text of a link, or what describes the picture in it; nothing if that is long. */
function labelOf(link: Element): string {
  const text = textContent(link, LABEL_LENGTH + 1).trim();
  const picture = link.children.find((child) => isElement(child) && child.name === "img") as Element | undefined;
  const label = text === "" ? (picture?.attribs["alt"] ?? "").trim() : text;
  return label.length > LABEL_LENGTH ? "" : label;
}

/** True for a picture in a link that leads around a manual: an arrow, mostly. */
export function isArrow({ elements, parent, tag }: PageTable, medium: number): boolean {
  const around = parent[medium]!;
  if (tag[medium] !== PICTURE || around < 0 || tag[around] !== LINK) return false;
  if (elements[around]!.children.length > MOST_BESIDE) return false;
  const label = elements[medium]!.attribs["alt"]?.trim() ?? "";
  if (label !== labelOf(elements[around]!)) return false;
  return isMarked(elements[around]!) || arrow.test(label);
}
