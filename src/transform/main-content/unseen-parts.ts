/** Finds what is hidden from a page's readers permanently, not just until a click on a tab, a question or a button. */
import type { Element } from "domhandler";
import { targetNames } from "../tab-sets.ts";
import { meaningBit } from "./name-words.ts";
import { isUnseen } from "./node-kinds.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { isQuestion, opensPanel } from "./questions.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** How far up from a label the link around it is searched for. */
const REACH_OF_LABEL = 3;
const CLICKED: ReadonlySet<string> = new Set(["a", "button", "span"]);
const PANEL = meaningBit("faq");
const panelRoles = new Set(["tabpanel", "region", "listbox"]);

/** The outermost hidden elements that contain something kept and that no click shows. */
export function findUnseen(table: PageTable, keep: Uint8Array): number[] {
  const { blockElement, elements, flags, meanings, parent } = table;
  const found = new Set<number>();
  let targets: ReadonlySet<string> | undefined;
  let last = -1;
  for (let block = 0; block < keep.length; block++) {
    const own = blockElement[block]!;
    if (keep[block] === 0 || (flags[own]! & IN_HIDDEN) === 0) continue;
    let hidden = -1;
    let isPanel = false;
    for (let element = own; element >= 0; element = parent[element]!) {
      if ((meanings[element]! & PANEL) !== 0) isPanel = true;
      if (!isUnseen(elements[element]!)) continue;
      hidden = element;
      targets ??= readTargets(elements);
      const { id, role } = elements[element]!.attribs;
      if ((id !== undefined && targets.has(id)) || panelRoles.has(role ?? "")) isPanel = true;
    }
    if (hidden < 0 || isPanel || hidden === last) continue;
    last = hidden;
    if (block === 0 || !isOpener(table, block - 1, hidden)) found.add(hidden);
  }
  return [...found];
}

const isOpener = (table: PageTable, block: number, hidden: number): boolean =>
  isQuestion(table, block) ||
  opensPanel(table, block) ||
  (isAloneBefore(table, block, hidden) && isScripted(table, block));

/** Whether a block is all there is in the element right before another one: of a bar of buttons, the last is not. */
function isAloneBefore({ blockElement, blockLeaf, end, parent }: PageTable, block: number, next: number): boolean {
  let element = blockLeaf[block]!;
  while (element >= 0 && parent[element] !== parent[next]) element = parent[element]!;
  return element >= 0 && end[element] === next && (block === 0 || blockElement[block - 1]! < element);
}

/** True for words that do something in the page when they are clicked: the script may show what follows. */
function isScripted({ blockLeaf, elements, parent, statistics }: PageTable, block: number): boolean {
  const row = block * STATISTIC_COUNT;
  // The arrows of a calendar are none.
  if (statistics[row + STATISTIC.words] === 0 && statistics[row + STATISTIC.ideographs] === 0) return false;
  let element = blockLeaf[block]!;
  for (let step = 0; step < REACH_OF_LABEL && element >= 0; step++, element = parent[element]!) {
    const { name, attribs } = elements[element]!;
    // Around a whole part of the page, a script rather counts the clicks.
    if (attribs["onclick"] !== undefined && (step === 0 || CLICKED.has(name))) return true;
    if (name !== "a") continue;
    const { href, id, name: target } = attribs;
    return href === undefined ? id === undefined && target === undefined : /^(?:#?$|javascript:)/i.test(href.trim());
  }
  return false;
}

/** The ids to which links and buttons refer. */
function readTargets(elements: readonly Element[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { attribs } of elements) {
    for (const name of targetNames) {
      const value = attribs[name];
      if (value !== undefined && (name !== "href" || value.startsWith("#"))) ids.add(value.replace("#", ""));
    }
  }
  return ids;
}
