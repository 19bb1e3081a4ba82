/** The scorer that comes with the page sets. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CorpusPage } from "./corpus.ts";

/** The scorer's figures for several pages together. */
export interface Aggregate {
  readonly pages: number;
  readonly empty: number;
  readonly shF1?: number;
  readonly shP?: number;
  readonly shR?: number;
  readonly wF1?: number;
  readonly wP?: number;
  readonly wR?: number;
  readonly snF1?: number;
  readonly with?: number;
  readonly without?: number;
  readonly struct?: number;
  readonly st?: Readonly<Record<string, { readonly pages: number; readonly recall: number; readonly kept: number }>>;
  readonly msMedian?: number;
  readonly msP95?: number;
}

/** The corpus's own scorer, found in the corpus folder. */
export interface Scorer {
  scorePage(page: CorpusPage, out: { text: string; format: string; ms?: number }, format: string): unknown;
  aggregate(rows: readonly unknown[]): Aggregate;
}

export async function loadScorer(folder: string): Promise<Scorer> {
  return (await import(pathToFileURL(resolve(folder, "score.mjs")).href)) as Scorer;
}
