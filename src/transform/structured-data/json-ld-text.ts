// Parses the text of a JSON-LD script, tolerating faults of content systems that leave no doubt about the meaning. Each
// step takes linear time, because the text comes from a stranger.

import type { Element } from "domhandler";
import { decodeText } from "../../shared/html-references.ts";

/** Whether an element is such a script, whatever the type says besides. */
export const isJsonLd = ({ name, attribs }: Element): boolean =>
  name === "script" && /^\s*application\/ld\+json/i.test(attribs["type"] ?? "");

/** If all quotes are HTML entities, a template has escaped the script as if it were text. */
const isEscaped = (text: string): boolean => !text.includes('"') && text.includes("&quot;");

/**
 * A string, or something that is not allowed in JSON: a comment in either form, the beginning or end of CDATA. An
 * unterminated string extends to the end of the text; otherwise each of its quotes would be searched from to the end.
 */
const stringOrComment =
  /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|<!--|-->|<!\[CDATA\[|\]\]>/g;
const stringOrLastComma = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|,(?=\s*[}\]])/g;

/** In characters. A string of some million characters would exhaust the stack of the expressions above. */
const longestMended = 2_000_000;

/** The value; undefined if none can be read with certainty. */
export function readJsonLdText(script: string): unknown {
  const read = parse(script);
  if (read !== undefined || script.length > longestMended) return read;
  return parse(mended(isEscaped(script) ? decodeText(script) : script));
}

function mended(text: string): string {
  const withoutComments = text.replace(stringOrComment, (part) => (part.startsWith('"') ? mendedString(part) : " "));
  const withoutLastCommas = withoutComments.replace(stringOrLastComma, (part) => (part === "," ? "" : part));
  // Some systems end it with a semicolon.
  return withoutLastCommas.trim().replace(/;$/, "");
}

/** Line breaks are the most common fault within strings, then escapes of other languages: `don\'t`. */
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
