/** Tells lines that continue the cells above from rows of their own, where both have as many cells. */

/** With signs before it, such as a bracket or a quotation mark. */
const smallLetter = /^[^\p{L}\p{N}]{0,3}\p{Ll}/u;
const casedLetter = /^[^\p{L}\p{N}]{0,3}[\p{Ll}\p{Lu}]/u;

/**
 * True if texts go on from those above: these begin with capital letters, and what is below them with small ones.
 *
 * @example
 * continueTexts(["The red", "Boils water"], ["kettle", "for tea"]); // true
 */
export function continueTexts(above: readonly string[], below: readonly string[]): boolean {
  const cased = below.filter((text) => casedLetter.test(text));
  const isWords = cased.length > 1 && cased.length * 2 >= below.length;
  return isWords && shareOfSmall(cased) >= 0.6 && shareOfSmall(above.filter((text) => casedLetter.test(text))) <= 0.2;
}

/** True if the texts are the lines of sentences, of which most begin with small letters. */
export function areLinesOfText(texts: readonly string[]): boolean {
  const cased = texts.filter((text) => casedLetter.test(text));
  return cased.length * 2 >= texts.length && shareOfSmall(cased) >= 0.5;
}

function shareOfSmall(texts: readonly string[]): number {
  return texts.length === 0 ? 1 : texts.filter((text) => smallLetter.test(text)).length / texts.length;
}
