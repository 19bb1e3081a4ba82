/** The trained model: lexicons and trees, unpacked from the weights file once. */
import type { Steps } from "../../shared/turn.ts";
import weights from "./content-model.weights.json" with { type: "json" };
import { lexicon, type Rate } from "./lexicon.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";
import { type RateTypes, typeLexicon } from "./type-words.ts";

/** Numbers as base64 of their little-endian bytes. */
export interface PackedTrees {
  readonly depth: number;
  readonly bias: number;
  readonly isPair: boolean;
  readonly features: string;
  readonly thresholds: string;
  readonly leaves: string;
}

export interface PackedModel {
  readonly names: { readonly hashes: string; readonly ratings: string };
  readonly text: { readonly hashes: string; readonly ratings: string };
  /** A row of ratings for each hash, one for each page type. */
  readonly typeWords: { readonly hashes: string; readonly ratings: string };
  readonly pageTypes: readonly PackedTrees[];
  readonly blocks: PackedTrees;
}

export interface ContentModel {
  readonly rateName: Rate;
  readonly rateText: Rate;
  readonly rateTypes: RateTypes;
  /** One for each page type, in their order. */
  readonly pageTypes: readonly TreeEnsemble[];
  readonly blocks: TreeEnsemble;
}

let unpacked: ContentModel | undefined;

/** The model that ships with the package; unpacked on first use. */
export function* contentModel(): Steps<ContentModel> {
  unpacked ??= yield* unpack(weights);
  return unpacked;
}

function* unpack({ names, text, typeWords, pageTypes, blocks }: PackedModel): Steps<ContentModel> {
  const rateName = lexicon(new Int32Array(bytes(names.hashes)), new Int8Array(bytes(names.ratings)));
  yield;
  const rateText = lexicon(new Int32Array(bytes(text.hashes)), new Int8Array(bytes(text.ratings)));
  yield;
  const rateTypes = typeLexicon(new Int32Array(bytes(typeWords.hashes)), new Int8Array(bytes(typeWords.ratings)));
  yield;
  const trees = { pageTypes: pageTypes.map(unpackTrees), blocks: unpackTrees(blocks) };
  yield;
  return { rateName, rateText, rateTypes, ...trees };
}

function unpackTrees(packed: PackedTrees): TreeEnsemble {
  const features = new Uint16Array(bytes(packed.features));
  return {
    depth: packed.depth,
    trees: features.length / packed.depth,
    bias: packed.bias,
    isPair: packed.isPair,
    features,
    thresholds: new Float32Array(bytes(packed.thresholds)),
    leaves: new Float32Array(bytes(packed.leaves)),
  };
}

/** A copy that begins at zero, so that wider numbers are aligned. */
function bytes(text: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(text, "base64")).buffer;
}
