/** The columns of a block's features, and a table to fill them in. */
import { CUES } from "./cue-phrases.ts";
import { STRUCTURAL_TAGS } from "./element-totals.ts";
import { MEANINGS } from "./name-words.ts";

const OWN = [
  "words",
  "linkShare",
  "letters",
  "capitals",
  "digits",
  "commas",
  "sentenceEnds",
  "questions",
  "separators",
  "money",
  "ideographs",
  "links",
  "foreign",
  "functionWords",
  "atSigns",
  "bold",
  "longWords",
  "control",
  "endsSentence",
  "startsLower",
  "startsDigit",
  "tag",
  "headingLevel",
  "inTitle",
  "titleShare",
  "hidden",
  "depth",
  "textMean",
  "textLow",
  "textHigh",
  "textSum",
  "pairSum",
  "copiesBefore",
  "copiesAfter",
  "declared",
  "described",
  "declaredPage",
  "linkKind",
] as const;
const AROUND = [
  "ratingOwn",
  "ratingNear",
  "ratingSum",
  "ratingLow",
  "ratingHigh",
  "innerWords",
  "innerLinkShare",
  "innerBlocks",
  "outerWords",
  "outerLinkShare",
  "outerBlocks",
  "outestWords",
  "outestLinkShare",
  "outestBlocks",
  "branchWords",
  "branchLinkShare",
  "branchBlocks",
  "branchProse",
  "innerRating",
  "outerRating",
  "branchRating",
  "repeatRating",
  "offCore",
  "coreAbove",
  "coreShare",
  "branchBefore",
  "repeats",
  "repeatWords",
  "repeatLinkShare",
  "repeatBlocks",
  "repeatDepth",
  "repeatPlace",
  "repeatHeadings",
  "pathBlocks",
  "pathWords",
  "pathLinkShare",
  "inMain",
  "inArticle",
  "articles",
] as const;
const PLACE = [
  "blocksBefore",
  "wordsBefore",
  "wordsBeforeCount",
  "wordsAfterCount",
  "fromTitleHeading",
  "afterLastProse",
  "beforeFirstProse",
  "headingDistance",
  "headingAboveLevel",
  "headingAboveText",
  "headingAboveWords",
  "headingAboveRating",
  "headingSameParent",
  "headingAbovePair",
  "upperLevel",
  "upperText",
  "upperPair",
  "listHeadingText",
  "listHeadingPair",
  "listHeadingLevel",
  "coreStart",
  "coreEnd",
  "previousWords",
  "previousLinkShare",
  "previousText",
  "previousHeading",
  "previousPath",
  "nextWords",
  "nextLinkShare",
  "nextText",
  "nextHeading",
  "nextPath",
  "secondPreviousWords",
  "secondNextWords",
  "windowWords",
  "windowLinkShare",
  "windowProse",
  "windowText",
  "windowRating",
  "pageWords",
  "pageLinkShare",
  "pageBlocks",
  "pageProseShare",
] as const;

/** The names of all features, in the order of their columns. */
export const BLOCK_FEATURES: readonly string[] = [
  ...OWN,
  ...AROUND,
  ...PLACE,
  ...CUES.map((name) => `cue:${name}`),
  ...CUES.map((name) => `cue above:${name}`),
  ...MEANINGS.map((name) => `name:${name}`),
  ...STRUCTURAL_TAGS.map((name) => `tag:${name}`),
];

type FeatureName = (typeof OWN)[number] | (typeof AROUND)[number] | (typeof PLACE)[number];

/** The column of each single feature. */
export const COLUMN = Object.fromEntries(BLOCK_FEATURES.map((name, column) => [name, column])) as Record<
  FeatureName,
  number
>;
/** The first columns of the features that come as bits. */
export const FIRST_CUE: number = BLOCK_FEATURES.indexOf(`cue:${CUES[0]}`);
export const FIRST_CUE_ABOVE: number = FIRST_CUE + CUES.length;
export const FIRST_MEANING: number = BLOCK_FEATURES.indexOf(`name:${MEANINGS[0]}`);
export const FIRST_TAG: number = BLOCK_FEATURES.indexOf(`tag:${STRUCTURAL_TAGS[0]}`);

/** Features in columns: the value of feature f for block b is `values[f * blocks + b]`. */
export class BlockFeatures {
  readonly blocks: number;
  readonly values: Float32Array;

  /** @param values where to write, zeros; a table of its own without */
  constructor(blocks: number, values: Float32Array = new Float32Array(blocks * BLOCK_FEATURES.length)) {
    this.blocks = blocks;
    this.values = values;
  }

  get(column: number, block: number): number {
    return this.values[column * this.blocks + block]!;
  }

  set(column: number, block: number, value: number): void {
    this.values[column * this.blocks + block] = value;
  }

  /** Sets a column for each bit of `all`: 2 for what is near, 1 for what is only further away. */
  setBits(first: number, count: number, near: number, all: number, block: number): void {
    for (let bit = 0; bit < count; bit++) {
      if ((all & (1 << bit)) !== 0) this.set(first + bit, block, (near & (1 << bit)) !== 0 ? 2 : 1);
    }
  }
}

/** A part of a whole; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
