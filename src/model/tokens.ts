/** An estimate of how many tokens a text comes to, for any model: no tokenizer is loaded. */

/**
 * Tokens that a text will come to, rather too many than too few: a token for 3.5 characters of ASCII, one for 2 of other
 * alphabets, one for each character of Chinese, Japanese and Korean and beyond. The tokenizers in use give a tenth
 * to a quarter less for English prose and about as much for code and tables.
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

/** What the calls of a model came to, as its provider counts. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Of the input: what the provider had in its cache. */
  readonly cached: number;
}

export const noUsage: Usage = { input: 0, output: 0, cached: 0 };

export function addUsage(one: Usage, other: Usage): Usage {
  return { input: one.input + other.input, output: one.output + other.output, cached: one.cached + other.cached };
}

export function totalTokens({ input, output }: Usage): number {
  return input + output;
}
