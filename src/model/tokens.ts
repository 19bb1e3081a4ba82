/** Estimates how many tokens a text has, for any model and without a tokenizer. */

/**
 * An estimate of a text's tokens, rather too high than too low: one for 3.5 ASCII characters, one for 2 characters of
 * other alphabets, one for each character of Chinese, Japanese, Korean and beyond. Common tokenizers give a tenth to a
 * quarter less for English prose, and about as many for code and tables.
 */
export function estimateTokens(text: string, from = 0, to = text.length): number {
  let ascii = 0;
  let alphabets = 0;
  let others = 0;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) ascii++;
    else if (code < 0x2e80) alphabets++;
    else others++;
  }
  return ascii / 3.5 + alphabets / 2 + others;
}

/** Where a text that begins at `from` has to end, at `to` at the latest, to have no more tokens than `maxTokens`. */
export function reach(text: string, from: number, to: number, maxTokens: number): number {
  let end = from;
  for (let left = maxTokens; end < to; ) {
    // One character is at most one token.
    const next = Math.min(to, end + Math.max(1, Math.floor(left)));
    left -= estimateTokens(text, end, next);
    if (left < 0) break;
    end = next;
  }
  return end;
}
