/** Decides which blocks are headings, and of what level. */

import { type Block, isContentsEntry, type TextBlock } from "./blocks.ts";
import { countedHeadings } from "./counted-headings.ts";
import type { OutlineEntry } from "./document.ts";
import { type BodyStyle, roundedSize } from "./style.ts";
import { wideLetters } from "./wide-fonts.ts";

/** A heading's text is at least this much larger than the body's. */
const leastGrowth = 1.1;
/** A sentence that is only a little larger is a summary, or the text of another part. */
const plainGrowth = 1.4;
const fewestWords = 6;
const longestHeading = 220;
const mostLines = 4;
const deepestLevel = 6;

/** The level, 1 to 6, of each block that is a heading. */
export function headingLevels(
  blocks: readonly Block[],
  outline: readonly OutlineEntry[],
  body: BodyStyle,
): Map<Block, number> {
  const depths = new Map(outline.map(({ title, depth }) => [bare(title), depth]));
  const textSizes = textSizesOf(blocks);
  const large: TextBlock[] = [];
  const listed: { block: TextBlock; depth: number }[] = [];
  const bold: TextBlock[] = [];
  const tagged: TextBlock[] = [];
  for (const block of blocks) {
    if (block.kind !== "text") continue;
    if (block.level !== undefined) tagged.push(block);
    if (block.level !== undefined || block.depth !== undefined || !mayBeHeading(block)) continue;
    const depth = depths.get(bare(textOfBlock(block)));
    if (depth !== undefined && block.fontSize >= body.size * 0.95) listed.push({ block, depth });
    else if (isLarge(block, body) && (block.isBold || !textSizes.has(roundedSize(block.fontSize)))) large.push(block);
    else if (block.isBold && !body.isBold && block.fontSize >= body.size * 0.95 && isTitleLike(block)) bold.push(block);
  }
  // If headings are tagged, other bold text is just bold.
  if (tagged.length > 0) return levelsFrom(taggedLevels(tagged), large, []);
  // Text that is larger than everything that the outline lists is the document's title.
  const largest = listed.reduce((most, { block }) => Math.max(most, roundedSize(block.fontSize)), 0);
  const hasTitle = listed.length > 0 && large.some(({ fontSize }) => roundedSize(fontSize) > largest);
  const levels = levelsFrom(
    listed.map(({ block, depth }) => ({ block, level: depth + (hasTitle ? 2 : 1) })),
    large,
    bold,
  );
  addCounted(levels, blocks);
  return levels;
}

/** Their levels are below those of headings that are recognised by size. */
function addCounted(levels: Map<Block, number>, blocks: readonly Block[]): void {
  const { sections, parts } = countedHeadings(blocks);
  if (sections.some((block) => levels.has(block))) return;
  const title = [...levels.values()].reduce((most, level) => Math.max(most, level), 0) > 0 ? 1 : 0;
  for (const block of sections) levels.set(block, title + 1);
  for (const block of parts) if (!levels.has(block)) levels.set(block, title + 2);
}

function taggedLevels(tagged: readonly TextBlock[]): { block: TextBlock; level: number }[] {
  return tagged.map((block) => ({ block, level: block.level! }));
}

/** `known` are the headings whose level is known; the levels of `large` and `bold` are chosen relative to them. */
function levelsFrom(
  known: readonly { block: TextBlock; level: number }[],
  large: readonly TextBlock[],
  bold: readonly TextBlock[],
): Map<Block, number> {
  const levels = new Map<Block, number>();
  const levelOfSize = new Map<number, number>();
  for (const { block, level } of known) {
    levels.set(block, Math.min(deepestLevel, level));
    const size = roundedSize(block.fontSize);
    levelOfSize.set(size, Math.min(deepestLevel, level, levelOfSize.get(size) ?? deepestLevel));
  }

  const sizes = new Set([...levelOfSize.keys(), ...large.map(({ fontSize }) => roundedSize(fontSize))]);
  let lowest = 0;
  for (const size of [...sizes].sort((one, other) => other - one)) {
    const level = levelOfSize.get(size) ?? Math.min(deepestLevel, lowest + 1);
    levelOfSize.set(size, level);
    lowest = Math.max(lowest, level);
  }
  for (const block of large) levels.set(block, levelOfSize.get(roundedSize(block.fontSize))!);
  const deepest = [...levels.values()].reduce((most, level) => Math.max(most, level), 0);
  for (const block of bold) levels.set(block, Math.min(deepestLevel, deepest + 1));
  return levels;
}

function mayBeHeading(block: TextBlock): boolean {
  const text = textOfBlock(block);
  return (
    (block.marker === undefined || !block.marker.isBullet) &&
    block.lines.length <= mostLines &&
    // A Chinese character carries about as much meaning as three letters.
    text.length + wideLetters(text) * 2 <= longestHeading &&
    /\p{L}{2}/u.test(text) &&
    !block.lines.some(isContentsEntry)
  );
}

function isLarge(block: TextBlock, body: BodyStyle): boolean {
  if (block.fontSize < body.size * leastGrowth) return false;
  return !isSentence(textOfBlock(block)) || block.fontSize >= body.size * plainGrowth;
}

function isSentence(text: string): boolean {
  // Chinese is written without spaces, some two letters a word.
  return /[.:;,。：；，．]$/.test(text) && text.split(" ").length + wideLetters(text) / 2 >= fewestWords;
}

/**
 * The rounded sizes in which there are more paragraphs than other blocks: a part may have larger text than the others.
 */
function textSizesOf(blocks: readonly Block[]): Set<number> {
  const balance = new Map<number, number>();
  for (const block of blocks) {
    if (block.kind !== "text" || block.level !== undefined) continue;
    const text = textOfBlock(block);
    const isParagraph = block.lines.length > mostLines || text.length > longestHeading || isSentence(text);
    const size = roundedSize(block.fontSize);
    balance.set(size, (balance.get(size) ?? 0) + (isParagraph ? text.length : -text.length));
  }
  return new Set([...balance].filter(([, more]) => more > 0).map(([size]) => size));
}

/** Bold text of the body's size is a heading if it stands alone and is no sentence. */
function isTitleLike(block: TextBlock): boolean {
  const text = textOfBlock(block);
  return (
    block.lines.length <= 2 && text.length <= 120 && !/[.,;:!?]$/.test(text) && /^[\p{Lu}\p{N}\p{Lo}("“]/u.test(text)
  );
}

function textOfBlock({ lines }: TextBlock): string {
  return lines
    .map(({ text }) => text)
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A title without its number, case and spaces: outlines and pages differ in these. */
function bare(title: string): string {
  return title
    .slice(0, 500)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^(?:chapter|section|appendix|part)?\s*(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.:)]?\s+/, "")
    .replace(/^(?:第\s*[\d一二三四五六七八九十百]+\s*[章节節部篇回]|제\s*\d+\s*[장절부])\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
