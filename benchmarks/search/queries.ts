/** Queries whose answer is known: each is made from one page, as somebody might ask for what it says. */

import { Random } from "../crawl/random.ts";
import type { CorpusPage } from "../extraction/corpus.ts";

/** `words` as they stand on the page; in `forms`, they have other endings; a heading as it stands. */
export type QueryKind = "words" | "question" | "forms" | "question, forms" | "heading";

export interface KnownQuery {
  readonly kind: QueryKind;
  readonly text: string;
  /** The place of the page in the list. */
  readonly page: number;
}

const sentencesOfPage = 4;
const wordsOfQuery = 4;
const shortestSentence = 9;
const longestSentence = 400;
const shortestHeading = 4;

export function queriesOf(pages: readonly CorpusPage[]): KnownQuery[] {
  const random = new Random(7);
  return pages.flatMap((page, at) => [
    ...sentenceQueries(page.text ?? "", random).map(([kind, text]) => ({ kind, text, page: at })),
    ...(page.structure?.headings ?? [])
      .filter(([, text]) => text.split(/\s+/).length >= shortestHeading && random.below(2) === 0)
      .map(([, text]) => ({ kind: "heading" as const, text, page: at })),
  ]);
}

function sentenceQueries(text: string, random: Random): [QueryKind, string][] {
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => sentence.length < longestSentence && sentence.split(/\s+/).length >= shortestSentence);
  if (sentences.length < sentencesOfPage) return [];
  const result: [QueryKind, string][] = [];
  for (let count = 0; count < sentencesOfPage; count++) {
    const words = tellingWords(random.pick(sentences));
    const some: string[] = [];
    while (some.length < wordsOfQuery && words.length > 0) some.push(...words.splice(random.below(words.length), 1));
    if (some.length < wordsOfQuery) continue;
    const forms = some.map((word) => otherForm(word, random));
    result.push(["words", some.join(" ")], ["question", question(some)]);
    result.push(["forms", forms.join(" ")], ["question, forms", question(forms)]);
  }
  return result;
}

const question = ([first, second, third, fourth]: readonly string[]): string =>
  `how does the ${first} ${second} with ${third} and what is ${fourth}?`;

const common = new Set(
  (
    "the and for are was were been its this that these those with from has have had not but they you she his her their " +
    "our your does did can could will would should who which what when where how why there here than then also more most " +
    "some any all into out about over after before only just one two such other new may"
  ).split(" "),
);

function tellingWords(sentence: string): string[] {
  const words = sentence.toLowerCase().match(/\p{L}[\p{L}\p{N}-]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !common.has(word));
}

/** Another form of an English word, right or not: a plural, a past, a participle. */
function otherForm(word: string, random: Random): string {
  if (word.length < 5) return word;
  if (word.endsWith("ing")) return word.slice(0, -3);
  if (word.endsWith("ed")) return `${word.slice(0, -2)}ing`;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.endsWith("s")) return word.endsWith("ss") ? word : word.slice(0, -1);
  if (word.endsWith("y")) return `${word.slice(0, -1)}ies`;
  if (word.endsWith("e")) return random.below(2) === 0 ? `${word}s` : `${word.slice(0, -1)}ing`;
  return word + random.pick(["s", "ing", "ed"]);
}
