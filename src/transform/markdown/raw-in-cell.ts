import { escapeText, insideBrackets } from "./escape.ts";

/** A bar behind a back-slash that is not itself escaped. */
const barBehindBackslash = /(?<!\\)((?:\\\\)*)\\\|/g;
const codeMarks = /^(`+)( ?)([\s\S]*)\2\1$/;

/**
 * Code or a formula as a cell of a table can contain it. In a cell `\|` is a bar, and nothing within code stands for the
 * two signs; so such code is written as a tag, and a formula has the command that means the same.
 */
export function rawInCell(markdown: string): string {
  if (!markdown.includes("\\|")) return markdown;
  if (markdown.startsWith("$")) return markdown.replace(barBehindBackslash, "$1\\Vert ");
  const code = codeMarks.exec(markdown)?.[3];
  return code === undefined
    ? markdown
    : `<code>${escapeText(code, insideBrackets).replace(/:(?=\/\/)|(?<=\bwww)\./gi, "\\$&")}</code>`;
}
