/** The difference of two markdown texts, line by line, in the form of git. */
// Imported by its path: the main entry point loads some twenty files that are not used here.
import { diffArrays } from "diff/lib/diff/array.js";
import type { DiffFile, DiffLine } from "../contract/document.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { steadyLines } from "./markdown-noise.ts";

interface MarkdownDiff {
  /** Unified diff, hunks only. */
  readonly text: string;
  readonly json: { files: DiffFile[] };
}

const contextLines = 3;
/**
 * The work grows with the square of the number of edits. Up to this many are searched at once, more in several turns of
 * the event loop.
 */
const editsAtOnce = 150;
/** Beyond this the whole changed part is shown as replaced. */
const mostEdits = 1000;

/**
 * Null if nothing differs except noise and white space. Lines that differ only in these are shown as unchanged.
 *
 * @example
 * const diff = await diffMarkdown("# Fares\nTicket 4 EUR", "# Fares\nTicket 5 EUR");
 * diff?.text === "@@ -1,2 +1,2 @@\n # Fares\n-Ticket 4 EUR\n+Ticket 5 EUR"
 */
export async function diffMarkdown(
  previous: string,
  current: string,
  signal?: AbortSignal,
): Promise<MarkdownDiff | null> {
  const before = await linesOf(previous, signal);
  const after = await linesOf(current, signal);
  if (before.steady.join("") === after.steady.join("")) return null;
  const chunks = chunksOf(await edits(before, after, signal));
  const text = chunks.map(({ content, changes }) => [content, ...changes.map((line) => line.content)].join("\n"));
  return { text: text.join("\n"), json: { files: [{ from: null, to: null, chunks }] } };
}

interface Lines {
  readonly shown: readonly string[];
  readonly steady: readonly string[];
}

async function linesOf(text: string, signal: AbortSignal | undefined): Promise<Lines> {
  const shown = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return { shown, steady: await steadyLines(shown, signal) };
}

async function edits(before: Lines, after: Lines, signal: AbortSignal | undefined): Promise<DiffLine[]> {
  const lines: DiffLine[] = [];
  let ln1 = 0;
  let ln2 = 0;
  for (const { count, added, removed } of await changesOf(before.steady, after.steady, signal)) {
    for (let i = 0; i < count; i++) {
      if (added) lines.push({ type: "add", add: true, ln: ln2 + 1, content: `+${after.shown[ln2]}` });
      else if (removed) lines.push({ type: "del", del: true, ln: ln1 + 1, content: `-${before.shown[ln1]}` });
      else lines.push({ type: "normal", normal: true, ln1: ln1 + 1, ln2: ln2 + 1, content: ` ${before.shown[ln1]}` });
      if (!added) ln1++;
      if (!removed) ln2++;
    }
  }
  return lines;
}

interface Change {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

/** Equal beginnings and ends are set aside first, so that only the part between them is searched. */
async function changesOf(
  before: readonly string[],
  after: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Change[]> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const oldPart = before.slice(start, before.length - end);
  const newPart = after.slice(start, after.length - end);
  const found: readonly Change[] = diffArrays(oldPart, newPart, { maxEditLength: editsAtOnce }) ??
    (await diffInTurns(oldPart, newPart, signal)) ?? [
      { count: oldPart.length, added: false, removed: true },
      { count: newPart.length, added: true, removed: false },
    ];
  return [{ count: start, added: false, removed: false }, ...found, { count: end, added: false, removed: false }];
}

/** Rejects with the signal's reason as soon as it is aborted. */
function diffInTurns(
  before: string[],
  after: string[],
  signal: AbortSignal | undefined,
): Promise<readonly Change[] | undefined> {
  // The library cannot be told to stop. If all lines are alike to it from then on, it soon comes to an end by itself.
  const comparator = (one: string, other: string) => signal?.aborted === true || one === other;
  const found = new Promise<readonly Change[] | undefined>((resolve) => {
    diffArrays(before, after, { maxEditLength: mostEdits, comparator, callback: resolve });
  });
  return orAborted(found, signal);
}

type Chunk = DiffFile["chunks"][number];

/** Changed lines with those around them; neighbours whose context touches are one chunk. */
function chunksOf(lines: readonly DiffLine[]): Chunk[] {
  const chunks: Chunk[] = [];
  let begun = -1;
  let last = -1;
  const close = () => {
    if (begun !== -1) chunks.push(chunkOf(lines, begun, Math.min(last + contextLines + 1, lines.length)));
  };
  for (const [index, { type }] of lines.entries()) {
    if (type === "normal") continue;
    if (begun === -1 || index - last > 2 * contextLines + 1) {
      close();
      begun = Math.max(0, index - contextLines);
    }
    last = index;
  }
  close();
  return chunks;
}

function chunkOf(lines: readonly DiffLine[], from: number, to: number): Chunk {
  const changes = lines.slice(from, to);
  const olds = changes.filter(({ type }) => type !== "add").length;
  const news = changes.filter(({ type }) => type !== "del").length;
  const { ln1, ln2 } = startOf(lines[from - 1]);
  return { content: `@@ -${ln1 + Math.min(olds, 1)},${olds} +${ln2 + Math.min(news, 1)},${news} @@`, changes };
}

/** How many lines of either text come before a chunk, which is preceded by an unchanged line or nothing. */
function startOf(preceding: DiffLine | undefined): { ln1: number; ln2: number } {
  return preceding?.type === "normal" ? preceding : { ln1: 0, ln2: 0 };
}
