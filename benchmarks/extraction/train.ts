/**
 * Trains the main-content model: `node benchmarks/extraction/train.ts --corpora <path> [--write] [--trees N]`.
 * Prints how models score on hosts that they have not seen; `--write` also trains on all pages and stores the weights.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { PackedModel, PackedTrees } from "../../src/transform/main-content/content-model.ts";
import { RATING_STEP } from "../../src/transform/main-content/lexicon.ts";
import type { TreeEnsemble } from "../../src/transform/main-content/tree-ensemble.ts";
import type { BoostingOptions } from "./boosting.ts";
import { readCorpus } from "./corpus.ts";
import { readTrainingPages } from "./dataset.ts";
import type { LexiconTraining } from "./lexicon-training.ts";
import { readOwnPages } from "./own-pages.ts";
import { reportRows, reportTypes } from "./report.ts";
import { loadScorer } from "./scorer.ts";
import { BLOCK_OPTIONS, pageTypeColumns, trainBlocks, trainPageTypes } from "./stages.ts";
import { makeRows } from "./training-rows.ts";
import type { TypeWordsTraining } from "./type-words-training.ts";

const { values: options } = parseArgs({
  options: {
    corpora: { type: "string" },
    write: { type: "boolean", default: false },
    trees: { type: "string", default: String(BLOCK_OPTIONS.trees) },
    rate: { type: "string", default: String(BLOCK_OPTIONS.rate) },
    sample: { type: "string", default: String(BLOCK_OPTIONS.sample) },
    folds: { type: "string", default: "5" },
    bags: { type: "string", default: "2" },
  },
});
if (options.corpora === undefined) throw new Error("--corpora <path> is needed");
const folds = Number(options.folds);
const boosting: BoostingOptions = {
  ...BLOCK_OPTIONS,
  trees: Number(options.trees),
  rate: Number(options.rate),
  sample: Number(options.sample),
};

const log = (text: string): void => console.log(`${(performance.now() / 1000).toFixed(0)} s: ${text}`);
const scorer = await loadScorer(options.corpora);
const { pages, lexicons } = readTrainingPages([...readCorpus(options.corpora), ...readOwnPages()]);
log(`${pages.length} pages`);
const rows = makeRows(pages, lexicons, folds);
log(`${rows.count} blocks`);
const types = trainPageTypes(rows, folds);
reportTypes(rows, types.scores);
const columns = [...rows.columns, ...pageTypeColumns(rows, types.scores)];
const blocks = trainBlocks(rows, columns, folds, boosting, options.write, Number(options.bags));
log("blocks");
reportRows(rows, blocks.unseen, types.scores, scorer, "unseen hosts");

if (options.write) {
  const packed: PackedModel = {
    names: packLexicon(lexicons.names),
    text: packLexicon(lexicons.text),
    typeWords: packTypeWords(lexicons.types),
    pageTypes: types.models.map(packTrees),
    blocks: packTrees(blocks.model),
  };
  const file = new URL("../../src/transform/main-content/content-model.weights.json", import.meta.url);
  writeFileSync(file, `${JSON.stringify(packed)}\n`);
  log(`written, ${JSON.stringify(packed).length} bytes`);
}

function packLexicon(lexicon: LexiconTraining): PackedModel["names"] {
  const entries = lexicon.entries().sort(([one], [other]) => one - other);
  const hashes = Int32Array.from(entries, ([hash]) => hash);
  const ratings = Int8Array.from(entries, ([, rating]) =>
    Math.max(-127, Math.min(127, Math.round(rating / RATING_STEP))),
  );
  log(`lexicon of ${entries.length} words`);
  return { hashes: pack(hashes), ratings: pack(ratings) };
}

function packTypeWords(lexicon: TypeWordsTraining): PackedModel["typeWords"] {
  const entries = lexicon.entries();
  log(`type words: ${entries.length}`);
  return {
    hashes: pack(Int32Array.from(entries, ([hash]) => hash)),
    ratings: pack(Int8Array.from(entries.flatMap(([, row]) => [...row]))),
  };
}

function packTrees(trees: TreeEnsemble): PackedTrees {
  const { depth, bias, isPair, features, thresholds, leaves } = trees;
  return { depth, bias, isPair, features: pack(features), thresholds: pack(thresholds), leaves: pack(leaves) };
}

function pack(numbers: Int32Array | Int8Array | Uint16Array | Float32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");
}
