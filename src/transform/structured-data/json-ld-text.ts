// Reads the text of a JSON-LD script, also with the faults that content systems leave in it and that leave no doubt of
// what is meant. Each step takes linear time: the text is a stranger's.

import { decodeText } from "../../contract/html-references.ts";

const maxScriptLength = 2_000_000;

/** Where nothing else than quotes in HTML's spelling stands, a template has escaped the script as if it were text. */
const isEscaped = (text: string): boolean => !text.includes('"') && text.includes("&quot;");

/**
 * A string, or what JSON has no place for: a comment in either form, an end or beginning of CDATA. A string without an end
 * is the rest of the text: else each of its quotes would be looked from to the end.
 */
const stringOrComment =
  /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|<!--|-->|<!\[CDATA\[|\]\]>/g;
const stringOrLastComma = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|,(?=\s*[}\]])/g;

/** The value, or undefined when there is none to be read with certainty. */
export function readJsonLdText(script: string): unknown {
  if (script.length > maxScriptLength) return undefined;
  // Some systems end it like a statement.
  const text = script.trim().replace(/;$/, "");
  return parse(text) ?? parse(mended(isEscaped(text) ? decodeText(text) : text));
}

function mended(text: string): string {
  const withoutComments = text.replace(stringOrComment, (part) => (part.startsWith('"') ? mendedString(part) : " "));
  const withoutLastCommas = withoutComments.replace(stringOrLastComma, (part) => (part === "," ? "" : part));
  return withoutLastCommas.trim().replace(/;$/, "");
}

/** Line breaks are the most common fault inside strings, then signs that other languages escape: `don\'t`. */
function mendedString(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\\(["\\/]|[^"\\/\p{L}\p{N}])/gu, (pair, sign: string) => (/["\\/]/.test(sign) ? pair : sign));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
