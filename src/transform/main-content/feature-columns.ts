/** The columns of a block's features, and a table to fill them in. */
import { STRUCTURAL_TAGS } from "./element-totals.ts";
import { MEANINGS } from "./name-words.ts";

const OWN = [
  "words",
  "linkShare",
  "capitals",
  "commas",
  "sentenceEnds",
  "separators",
  "ideographs",
  "foreign",
  "bold",
  "endsSentence",
  "tag",
  "headingLevel",
  "inTitle",
  "titleShare",
  "hidden",
  "depth",
  "textMean",
  "pairSum",
  "copiesBefore",
  "copiesAfter",
  "described",
  "declaredPage",
  "linkKind",
] as const;
const AROUND = [
  "ratingOwn",
  "ratingNear",
  "ratingSum",
  "ratingLow",
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
  "previousPath",
  "nextWords",
  "nextLinkShare",
  "nextPath",
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

/** The meanings of names, and the tags around a block, that tell more than the lexicon of names. */
const NAMES = "footer comments figure overlay card form main review faq article tags".split(" ");
const TAGS = "footer nav main ul li figure section table aside p blockquote article a".split(" ");

/** The names of all features, in the order of their columns. */
export const BLOCK_FEATURES: readonly string[] = [
  ...OWN,
  ...AROUND,
  ...PLACE,
  ...NAMES.map((name) => `name:${name}`),
  ...TAGS.map((name) => `tag:${name}`),
];

type FeatureName = (typeof OWN)[number] | (typeof AROUND)[number] | (typeof PLACE)[number];

/** The column of each single feature. */
export const COLUMN = Object.fromEntries(BLOCK_FEATURES.map((name, column) => [name, column])) as Record<
  FeatureName,
  number
>;
/** The columns of the features that come as bits. */
export const NAME_BITS: BitColumns = bitColumns(NAMES, MEANINGS, "name");
export const TAG_BITS: BitColumns = bitColumns(TAGS, STRUCTURAL_TAGS, "tag");

interface BitColumns {
  readonly first: number;
  /** The bit for each of the consecutive columns. */
  readonly bits: readonly number[];
}

function bitColumns(names: readonly string[], all: readonly string[], prefix: string): BitColumns {
  return {
    first: BLOCK_FEATURES.indexOf(`${prefix}:${names[0]}`),
    bits: names.map((name) => 1 << all.indexOf(name)),
  };
}

/** Features in columns: the value of feature f for block b is `values[f * blocks + b]`. */
export class BlockFeatures {
  readonly blocks: number;
  readonly values: Float32Array;

  /** @param values where to write: zeros; by default a new table */
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

  /** The same value for every block. */
  fill(column: number, value: number): void {
    this.values.fill(value, column * this.blocks, (column + 1) * this.blocks);
  }

  /** Sets a column for each bit of `all`: 2 if the bit is also in `near`, otherwise 1. */
  setBits({ first, bits }: BitColumns, near: number, all: number, block: number): void {
    for (let column = 0; column < bits.length; column++) {
      if ((all & bits[column]!) !== 0) this.set(first + column, block, (near & bits[column]!) !== 0 ? 2 : 1);
    }
  }
}

/** A part as a share of a whole; 0 if the whole is 0. */
export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
