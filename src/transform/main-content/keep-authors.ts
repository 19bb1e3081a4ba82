/** Keeps the authors of a paper below its title, where the page's head names them for libraries. */
import { isTag } from "domhandler";
import { blockLine } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";

/** Most names that are searched for. */
const MOST_NAMES = 100;
/** How many blocks below the title they may be. */
const REACH = 150;
/** In characters, of the longest list in a block. */
const LONGEST = 4000;

/** Adds to `keep`, in place, blocks between a heading of the first rank and the text that name such authors. */
export function keepAuthors(table: PageTable, keep: Uint8Array): void {
  const names = namesInHead(table);
  if (names.length === 0) return;
  // Above the title, a heading of the first rank may name the collection that the paper is in.
  let title = -1;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 1) title = table.headingRanks[block] === 1 ? block : -1;
    else if (title >= 0 && block < title + REACH && namesOneOf(names, table, block)) keep[block] = 1;
  }
}

function namesOneOf(names: readonly (readonly string[])[], table: PageTable, block: number): boolean {
  const words = new Set(wordsOf(blockLine(table, block).slice(0, LONGEST)));
  return names.some((parts) => parts.every((part) => words.has(part)));
}

/** The parts of each name, which may be in any order: "Sato, Keiko". Initials say too little. */
function namesInHead({ dropped }: PageTable): string[][] {
  const names: string[][] = [];
  for (const node of dropped) {
    if (!isTag(node) || node.attribs["name"] !== "citation_author") continue;
    const telling = wordsOf(node.attribs["content"] ?? "").filter((part) => part.length > 1);
    if (telling.length > 0 && names.length < MOST_NAMES) names.push(telling);
  }
  return names;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}’'-]+/gu) ?? [];
