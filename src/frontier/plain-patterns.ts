/**
 * Patterns without alternatives and repetitions: a text with some places left open. The platform's own regular
 * expressions find them in linear time, a thousand at once; the engine for the others would need milliseconds per URL
 * for so many.
 */

/** One character of the text: literal, escaped, any, a digit or a word character. */
const plain = /^\^?(?:[ !"#%&',\-/0-9:;<=>@A-Z_`a-z~.]|\\[!-/:-@[-^{-~dw])*\$?$/;

/** A leading or trailing `.*` changes nothing, because patterns are unanchored. */
const open = /^\.\*|(?<!\\)\.\*$/g;

/** The pattern in the platform's syntax; undefined if it is not so plain. */
export function plainSource(pattern: string): string | undefined {
  const inner = pattern.replace(open, "");
  if (!plain.test(inner)) return undefined;
  return inner.replace(/\\?./g, (part) => {
    // The only line terminator that RE2 knows.
    if (part === ".") return "[^\\n]";
    return /^\\[^\w^$\\.*+?()[\]{}|/]$/.test(part) ? part.slice(1) : part;
  });
}

/** Creates a test that is true if one of them is found anywhere in the text. */
export function plainTest(sources: readonly string[]): (text: string) => boolean {
  if (sources.length === 0) return () => false;
  const expression = new RegExp(sources.join("|"), "u");
  return (text) => expression.test(text);
}
