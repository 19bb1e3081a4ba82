/** Leaves out who is visiting a board at the moment. */
import { blockText } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";

const BOARDS: ReadonlySet<PageType> = new Set<PageType>(["forum", "listing", "collection"]);
/** In characters. */
const LONGEST = 40;
const title =
  /^\s*(?:who(?:['’]s| is) online(?: now)?|(?:users|members) online(?: now)?|wer ist online|qui est en ligne|quién está conectado|chi c[’']è in linea|quem est[áa] ligado|quem está online|wie is er online|kto jest online|кто (?:сейчас )?на (?:конференции|форуме))\s*[?:]?\s*$/iu;

/** Takes from `keep`, in place, such a heading with all that follows in its element, up to the next heading. */
export function dropVisitors(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  if (!BOARDS.has(pageType)) return;
  const { blockElement, end, parent } = table;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0 || table.headingRanks[block] === 0) continue;
    const text = blockText(table, block, LONGEST);
    if (text.length > LONGEST || !title.test(text)) continue;
    const around = parent[blockElement[block]!]!;
    keep[block] = 0;
    for (let next = block + 1; next < keep.length && table.headingRanks[next] === 0; next++) {
      if (around < 0 || blockElement[next]! >= end[around]!) break;
      keep[next] = 0;
    }
  }
}
