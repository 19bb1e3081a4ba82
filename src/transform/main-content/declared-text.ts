/** Reads what a page says about itself: the text in JSON-LD and in the description, as hashes of pairs of words. */
import { isTag } from "domhandler";
import { jsonLdTexts, markup } from "./json-ld-texts.ts";
import type { PageTable } from "./page-table.ts";
import { hashWords, mixHash } from "./text-statistics.ts";

/** Pairs of neighbouring words, by hash. */
export interface DeclaredText {
  /** From the longer texts in JSON-LD. */
  readonly data: ReadonlySet<number>;
  /** From the description for search engines. */
  readonly description: ReadonlySet<number>;
}

const MAXIMUM_SCRIPT = 100_000;
const MAXIMUM_WORDS = 8000;
const SHORTEST_TEXT = 40;

export function readDeclaredText(table: PageTable): DeclaredText {
  const data = new Set<number>();
  const description = new Set<number>();
  for (const text of jsonLdTexts(table)) {
    if (text.length <= MAXIMUM_SCRIPT) addStrings(text, data);
  }
  for (const node of table.dropped) {
    if (!isTag(node) || node.name !== "meta") continue;
    const name = node.attribs["name"] ?? node.attribs["property"];
    if (name === "description" || name === "og:description") addPairs(node.attribs["content"] ?? "", description);
  }
  return { data, description };
}

/** Adds the longer strings of a JSON text; a text that is not JSON is ignored. */
function addStrings(json: string, pairs: Set<number>): void {
  const waiting: unknown[] = [];
  try {
    waiting.push(JSON.parse(json));
  } catch {
    // Many pages declare broken JSON; they only lose the hint.
  }
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) waiting.push(inner);
    else if (typeof value === "string" && value.length >= SHORTEST_TEXT && !value.startsWith("http"))
      addPairs(value, pairs);
  }
}

function addPairs(text: string, pairs: Set<number>): void {
  const plain = text.includes("<") ? text.replace(markup, " ") : text;
  const words = hashWords(plain, Math.min(MAXIMUM_WORDS, text.length));
  for (let index = 1; index < words.length; index++) pairs.add(mixHash(words[index - 1]!, words[index]!));
}
