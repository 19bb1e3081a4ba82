/**
 * The pages of the tests of main content, written for this project, with what is to be kept of them. The model learns
 * from them as well: they are of kinds that the page sets hardly contain, and a training anew has to know them. So these
 * tests do not show how the model does on pages that it has not seen; the folds of the trainer do. The texts are what
 * the model of before kept, with which all of these tests passed. A page that is added to them needs its text by hand.
 */
import { readFileSync } from "node:fs";
import type { CorpusPage } from "./corpus.ts";

/** A line each: the page, its address, and the text that is to be kept. */
const file = new URL("own-pages.jsonl", import.meta.url);

export function readOwnPages(): CorpusPage[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line, index) => ({
    ...(JSON.parse(line) as { readonly url: string; readonly html: string; readonly text: string }),
    id: `own/${index}`,
    set: "own",
    type: "own",
    folder: "",
    file: "",
  }));
}
