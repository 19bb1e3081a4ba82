/** Tells which texts and values a reader would call the same. */

import { canonicalJson } from "./json-value.ts";

/** What is compared loosely; the rest of a longer text must be the same. */
const comparedLoosely = 2000;

/** The letters and digits of a text in lower case, with a single space between words. */
export function comparableText(text: string): string {
  const start = text.slice(0, comparedLoosely).toLowerCase();
  if (!beyondAscii.test(start)) return start.replace(/[^a-z0-9]+/g, " ").trim();
  return start
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const beyondAscii = /[^\0-\x7f]/;

/**
 * Signs that distinguish texts: C++ and C#, -3 and 3, A+ and A-, € and $, < and >, 5% and 5, 1.5 and 1:5, ★★ and ★★★.
 */
const signs =
  /(?<=[\p{L}\p{N}])[+#]+|(?<![\p{L}\p{N})\]])[-−](?=[.,]?\p{N})|(?<=^\p{L})[-−]$|(?<=\d)[.,:](?=\d)|[%‰<>≤≥±★☆⭐✓✔✗✘✅❌]|\p{Sc}/gu;
const anySign = /[+#%‰<>≤≥±★☆⭐✓✔✗✘✅❌−.,:-]|\p{Sc}/u;
const likeSigns: Readonly<Record<string, string>> = { "−": "-", ",": "." };

/** The comparable text, followed by the signs in the text. */
export function signedText(text: string): string {
  const plain = comparableText(text);
  const rest = text.slice(comparedLoosely);
  if (!anySign.test(text)) return plain + rest;
  const found = text.slice(0, comparedLoosely).trim().match(signs) ?? [];
  return [plain, ...found.map((sign) => likeSigns[sign] ?? sign).sort()].join(" ").trim() + rest;
}

/** Addresses, paths, file names, options of commands, identifiers: a single word in which every sign counts. */
const code = /^(?=\S*[/\\@_*]|-+[a-z]|(?=[^\s-]{10,}$)(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z]))\S+$/;
const expression = /[=^~\\]|&&|\|\|/;
/** In others, such as `and/or` or an address for mail, capitals do not count. */
const capitalsCount = /:\/\/|^[-./\\]|\d/;

/** A text that is equal for texts that a reader would call the same. */
export function sameText(text: string): string {
  const trimmed = text.trim();
  if (expression.test(trimmed)) return trimmed;
  if (!code.test(trimmed)) return signedText(text) || text;
  const word = withoutSlashes(trimmed);
  return capitalsCount.test(word) && !word.includes("@") ? word : word.toLowerCase();
}

/** A text that is equal for values that a reader would call the same. */
export function sameScalar(value: unknown): string {
  return typeof value === "string" ? `"${sameText(value)}` : canonicalJson(value);
}

/** Removes slashes at the end only. */
export function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}
