/**
 * Patterns without choices and repetitions: a text with some places left open. The platform's own expressions find them
 * in linear time, a thousand at once; the engine for the others needs milliseconds for so many at each URL.
 */

/** One character of the text: as it stands, escaped, any, a digit or a letter of a word. */
const plain = /^\^?(?:[ !"#%&',\-/0-9:;<=>@A-Z_`a-z~.]|\\[!-/:-@[-^{-~dw])*\$?$/;

/** What stands before and behind may be anything, and need not be said. */
const open = /^\.\*|(?<!\\)\.\*$/g;

/** The pattern as the platform reads it; undefined for one that is not so plain. */
export function plainSource(pattern: string): string | undefined {
  const inner = pattern.replace(open, "");
  if (!plain.test(inner)) return undefined;
  return inner.replace(/\\?./g, (part) => {
    // Of the ends of a line, only the one that RE2 knows.
    if (part === ".") return "[^\\n]";
    return /^\\[^\w^$\\.*+?()[\]{}|/]$/.test(part) ? part.slice(1) : part;
  });
}

/** True when one of them is found anywhere in the text. */
export function plainTest(sources: readonly string[]): (text: string) => boolean {
  if (sources.length === 0) return () => false;
  const expression = new RegExp(sources.join("|"), "u");
  return (text) => expression.test(text);
}
