/**
 * Finds headings by their numbers alone: conference papers set them no larger and no bolder than the text, `II.
 * METHODS` and `A. Data`. They differ from list items by the text between them.
 */

import type { Block, TextBlock } from "./blocks.ts";

const fewest = 3;
const longest = 90;

interface CountedHeadings {
  /** With Roman numerals, in capitals. */
  readonly sections: readonly TextBlock[];
  /** With letters, which start again in each section. */
  readonly parts: readonly TextBlock[];
}

export function countedHeadings(blocks: readonly Block[]): CountedHeadings {
  const alone = blocks.filter(
    (block, index): block is TextBlock => mayCount(block) && !isItem(blocks[index - 1]) && isText(blocks[index + 1]),
  );
  const sections = counting(alone.filter((block) => isRoman(block) && isInCapitals(block)));
  if (sections.length < fewest) return { sections: [], parts: [] };
  const first = alone.indexOf(sections[0]!);
  return { sections, parts: alone.slice(first).filter((block) => !isInCapitals(block)) };
}

function mayCount(block: Block | undefined): block is TextBlock {
  if (block?.kind !== "text" || block.marker?.style !== "A." || block.depth !== undefined) return false;
  const text = block.marker.rest.trim();
  return block.lines.length <= 2 && text.length <= longest && /^\p{Lu}/u.test(text) && !/[.,;:!?]$/.test(text);
}

/** A list item, rather than a heading that follows another. */
function isItem(block: Block | undefined): boolean {
  return block?.kind === "text" && block.marker?.style === "A." && !isInCapitals(block);
}

/** Text, or the heading of its first part, follows a heading. */
function isText(block: Block | undefined): boolean {
  return block !== undefined && (block.kind !== "text" || block.marker?.style !== "A." || block.marker.value === 1);
}

function isRoman({ lines }: TextBlock): boolean {
  return /^[IVX]+\./.test(lines[0]!.text.trim());
}

function isInCapitals({ marker }: TextBlock): boolean {
  return marker !== undefined && /\p{Lu}{2}/u.test(marker.rest) && !/\p{Ll}/u.test(marker.rest);
}

/** The blocks that count on from the first, of which a few may be missing. */
function counting(blocks: readonly TextBlock[]): TextBlock[] {
  const counted: TextBlock[] = [];
  let last = 0;
  for (const block of blocks) {
    const { value } = block.marker!;
    if (value <= last || value > last + 2) continue;
    counted.push(block);
    last = value;
  }
  return counted;
}
