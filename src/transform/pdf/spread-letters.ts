/**
 * Chinese and Japanese is written without spaces, but in justified lines the characters are spread a little, and
 * punctuation has room around it. Neither is a space.
 */

const letter = "[\\u2e80-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff01-\\uff60]";
const closing = "[、。，．：；！？）」』】》〉〕］｝]";
const opening = "[（「『【《〈〔［｛]";
const between = (left: string, right: string) => new RegExp(`(?<=${left}) +(?=${right})`, "g");

const spaceOfLetters = between(letter, letter);
const spaceOfSigns = new RegExp(`${between(closing, letter).source}|${between(letter, opening).source}`, "g");
const closeLetters = new RegExp(`(?<=${letter})${letter}`, "g");
const endsInLetter = new RegExp(`${letter}$`);
const startsWithLetter = new RegExp(`^${letter}`);
const endsInSign = new RegExp(`${closing}$`);
const startsWithSign = new RegExp(`^${opening}`);

/** In widths of a character: a wider gap is meant as a space. */
const widestSpread = 0.45;
const widestRoom = 0.75;

/** The text of a spread line without its apparent spaces; `width` in font sizes. */
export function closedUp(text: string, width: number): string {
  const spaces = text.match(spaceOfLetters)?.length ?? 0;
  if (spaces === 0) return text;
  const letters = text.match(/[^ ]/g)!.length;
  const isSpread = spaces > (text.match(closeLetters)?.length ?? 0) && (width - letters) / spaces < widestSpread;
  return text.replace(isSpread ? spaceOfLetters : spaceOfSigns, "");
}

/** True if the gap between two runs of text, in font sizes, is no space, even if one is drawn in it. */
export function isSpread(left: string, right: string, gap: number, isDrawn: boolean): boolean {
  if (gap > widestRoom || !endsInLetter.test(left) || !startsWithLetter.test(right)) return false;
  return (!isDrawn && gap < widestSpread) || endsInSign.test(left) || startsWithSign.test(right);
}

/** Letters of Thai, Lao and Khmer, which set spaces between sentences and the like; lines seldom end there. */
const unspaced = "[\\u0e01-\\u0e3a\\u0e40-\\u0e4e\\u0e81-\\u0ece\\u1780-\\u17d3]";
const endsUnspaced = new RegExp(`${unspaced}$`);
const startsUnspaced = new RegExp(`^${unspaced}`);

/** True between letters of a script without spaces between words. */
export function areUnspaced(left: string, right: string): boolean {
  return endsUnspaced.test(left) && startsUnspaced.test(right);
}

/** True if a line continues on the next without a space. */
export function joinsWithoutSpace(end: string, start: string): boolean {
  if (areUnspaced(end, start)) return true;
  const isLetter = [endsInLetter.test(end), startsWithLetter.test(start)];
  return (isLetter[0]! || /[”’…—]$/.test(end)) && (isLetter[1]! || /^[“‘…—]/.test(start)) && isLetter.includes(true);
}
