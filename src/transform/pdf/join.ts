/** Goes on with paragraphs that a column or a page ends in the middle of. */

import type { Block, TextBlock } from "./blocks.ts";
import type { BodyStyle } from "./style.ts";

/** Notes and captions may stand between the two halves: so many blocks are looked back over. */
const farthest = 8;

/** The blocks of all regions in one list. */
export function joinRegions(regions: readonly (readonly Block[])[], body: BodyStyle): Block[] {
  const joined: Block[] = [];
  for (const blocks of regions) {
    blocks.forEach((block, index) => {
      const open = index === 0 && block.kind === "text" ? unfinished(joined, block, body) : undefined;
      if (open === undefined) joined.push(block);
      else for (const line of (block as TextBlock).lines) open.lines.push(line);
    });
  }
  return joined;
}

/** The block that `next` goes on with. */
function unfinished(joined: readonly Block[], next: TextBlock, body: BodyStyle): TextBlock | undefined {
  if (next.marker !== undefined || next.fontSize > body.size * 1.1) return undefined;
  for (let back = 1; back <= Math.min(farthest, joined.length); back++) {
    const block = joined.at(-back)!;
    if (block.kind !== "text") continue;
    if (Math.abs(block.fontSize - next.fontSize) < 0.6) return goesOn(block, next) ? block : undefined;
    // A heading ends what stands before it; smaller text is a note.
    if (block.fontSize > next.fontSize) return undefined;
  }
  return undefined;
}

function goesOn(open: TextBlock, next: TextBlock): boolean {
  const last = open.lines.at(-1)!;
  const end = last.text.trim();
  const start = next.lines[0]!.text.trim();
  if (/[\p{L}][-‐\u00ad]$/u.test(end)) return true;
  if (/[.!?…。！？]["”’»)\]]*$/u.test(end)) return false;
  if (/^\p{Ll}/u.test(start)) return true;
  const isFull = last.right > open.edge - open.fontSize * 2;
  return isFull && open.lines.length > 1 && next.lines.length > 1 && !/[:;]$/.test(end) && open.isBold === next.isBold;
}
