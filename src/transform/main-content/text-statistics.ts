/** Counts the parts of a text, one character at a time, and hashes its first words. */

/** The columns of a block's statistics. */
export const STATISTIC = {
  words: 0,
  linkWords: 1,
  capitalWords: 2,
  digits: 3,
  commas: 4,
  sentenceEnds: 5,
  questions: 6,
  separators: 7,
  money: 8,
  ideographs: 9,
  foreignLetters: 10,
  functionWords: 11,
  boldWords: 12,
} as const;
export const STATISTIC_COUNT = 13;

/** Where a word may be broken; to readers, it is not there. */
const SOFT_HYPHEN = 0xad;

/** How many leading words of a block are kept as hashes. */
export const HASHED_WORDS = 24;

/** Adds a value to a running hash; used for words, class names and pairs of words alike. */
export function mixHash(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}
export const HASH_SEED = 0x811c9dc5 | 0;

/** The hash of a word in lower case, as computed by the scan below. */
export function wordHash(word: string): number {
  let hash = HASH_SEED;
  for (let index = 0; index < word.length; index++) hash = mixHash(hash, foldCase(word.charCodeAt(index)));
  return hash;
}

function foldCase(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  return (code >= 0x410 && code <= 0x42f) || (code >= 0x391 && code <= 0x3a9) || (code >= 0xc0 && code <= 0xde)
    ? code + 32
    : code;
}

/** Words that are frequent in running text only, in the languages with the most pages. */
const functionWords = new Set(
  (
    "the of and to a in that is for it on with as was by at from be are this have has not but or an they which you we " +
    "der die das und den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass " +
    "le la les de des et à un une du en que qui dans pour est sur au par il ne se pas plus avec ce sont " +
    "el los del y en que las un por con una su para es al lo como más o pero sus " +
    "di e il che è per i non si con le da nel della dei una sono " +
    "w i na z do że się nie o od jest to po za dla jak " +
    "и в не на что с по как это из у за от к но для " +
    "και το της να του η των την τα με που για από είναι οι δεν " +
    "het een van en dat op te met voor zijn niet aan er ook " +
    "och att det som en på är av för den med till har om inte " +
    "não uma os com na no mais foi ao"
  )
    .split(" ")
    .map(wordHash),
);

/** The state that the scan of one text node hands over to the next. */
export interface WordHashes {
  hashes: Int32Array;
  /** Where the next hash is written, unless that is the end. */
  next: number;
  end: number;
}

const IDEOGRAPH_STEP = 0.5;

/** In writing that does not separate words, every five letters count as one. */
const UNSPACED_WORD = 4;

/**
 * Adds the counts of `text` to the row of `statistics` that starts at `row`, and returns the number of its words. Two
 * ideographs count as a word. `words` receives the hashes of the first words of the block.
 */
export function countText(text: string, statistics: Float32Array, row: number, words: WordHashes): number {
  const length = text.length;
  let hash = HASH_SEED;
  let wordLength = 0;
  let wordCount = 0;
  let capital = false;
  let digits = 0;
  for (let index = 0; index <= length; index++) {
    const code = index < length ? text.charCodeAt(index) : 32;
    if (code >= 97 && code <= 122) {
      hash = mixHash(hash, code);
      wordLength++;
      continue;
    }
    if (code === 32) {
      if (wordLength === 0) continue;
    } else if (code >= 48 && code <= 57) {
      digits++;
      hash = mixHash(hash, code);
      wordLength++;
      continue;
    } else if (code >= 65 && code <= 90) {
      if (wordLength === 0) capital = true;
      hash = mixHash(hash, code + 32);
      wordLength++;
      continue;
    }
    if (code === SOFT_HYPHEN) continue;
    const ideograph = code >= 0x2e80 && isIdeograph(code);
    if (code >= 0xaa && !ideograph && isForeignLetter(code) && (wordLength < UNSPACED_WORD || !isUnspaced(code))) {
      statistics[row + STATISTIC.foreignLetters]!++;
      if (wordLength === 0 && ((code >= 0x410 && code <= 0x42f) || (code >= 0x391 && code <= 0x3a9))) capital = true;
      hash = mixHash(hash, foldCase(code));
      wordLength++;
      continue;
    }
    if (wordLength > 0) {
      wordCount++;
      if (capital) statistics[row + STATISTIC.capitalWords]!++;
      if (wordLength < 5 && functionWords.has(hash)) statistics[row + STATISTIC.functionWords]!++;
      if (words.next < words.end) words.hashes[words.next++] = hash;
      hash = HASH_SEED;
      wordLength = 0;
      capital = false;
    }
    if (code <= 32) continue;
    if (ideograph) {
      wordCount += IDEOGRAPH_STEP;
      statistics[row + STATISTIC.ideographs]!++;
      if (words.next < words.end) words.hashes[words.next++] = mixHash(HASH_SEED, code);
      continue;
    }
    const column = punctuation(code);
    if (column >= 0) statistics[row + column]!++;
  }
  statistics[row + STATISTIC.words]! += wordCount;
  if (digits > 0) statistics[row + STATISTIC.digits]! += digits;
  return wordCount;
}

/** The hashes of the first words, at most `most`, of a text that is not a block. */
export function hashWords(text: string, most: number): Int32Array {
  const words = { hashes: new Int32Array(most), next: 0, end: most };
  countText(text, new Float32Array(STATISTIC_COUNT), 0, words);
  return words.hashes.subarray(0, words.next);
}

function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff)
  );
}

function isForeignLetter(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code < 0x37e) return code !== 0xd7 && code !== 0xf7;
  return code < 0x2000 ? !marksOfScripts.has(code) : code >= 0x2c00 && code < 0x2e00;
}

/** Punctuation of Greek, Armenian, Hebrew, Arabic, the scripts of India, Tibetan, Burmese, Ethiopic and Khmer. */
const marksOfScripts: ReadonlyMap<number, number> = new Map(
  (
    [
      [STATISTIC.commas, "\u0387\u055d\u060c\u061b\u0f0d\u104a\u1363\u1364\u17d5"],
      [STATISTIC.sentenceEnds, "\u055c\u0589\u06d4\u0964\u0965\u0f0e\u104b\u1362\u17d4"],
      [STATISTIC.questions, "\u037e\u055e\u061f\u1367"],
      [-1, "\u05be\u05c0\u05c3\u066a\u066d\u0f0b\u1361\u1365\u1366\u17d6"],
    ] as const
  ).flatMap(([column, marks]) => [...marks].map((mark): [number, number] => [mark.charCodeAt(0), column])),
);

/** Thai, Lao, Burmese and Khmer. */
function isUnspaced(code: number): boolean {
  return (code >= 0x0e00 && code < 0x0f00) || (code >= 0x1000 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800);
}

/** The column that counts a punctuation mark, or -1. */
function punctuation(code: number): number {
  switch (code) {
    case 0x2c: // ,
    case 0x3b: // ;
    case 0xff0c:
    case 0x3001:
      return STATISTIC.commas;
    case 0x2e: // .
    case 0x21: // !
    case 0x3002:
    case 0xff01:
      return STATISTIC.sentenceEnds;
    case 0x3f: // ?
    case 0xff1f:
      return STATISTIC.questions;
    case 0x7c: // |
    case 0x3e: // >
    case 0x2f: // /
    case 0xb7: // ·
    case 0x2022: // •
    case 0xbb: // »
    case 0xab: // «
    case 0x203a: // ›
    case 0x2192: // →
      return STATISTIC.separators;
    case 0x24: // $
    case 0x20ac: // €
    case 0xa3: // £
    case 0xa5: // ¥
      return STATISTIC.money;
    default:
      return code < 0x37e ? -1 : (marksOfScripts.get(code) ?? -1);
  }
}
