// The languages that media types name: a body with such a type is code or data, in which every character matters.

import { isLanguage } from "./markdown/code-languages.ts";

/** Subtypes whose name differs from that of their language. */
const languages: ReadonlyMap<string, string> = new Map([
  ["calendar", "ics"],
  ["csrc", "c"],
  ["ecmascript", "javascript"],
  ["tab-separated-values", "tsv"],
  ["vcard", "vcf"],
]);

/** `csv` for `text/csv; charset=utf-8`; undefined for a type without a language, such as `text/plain`. */
export function languageOfType(contentType: string | undefined): string | undefined {
  const subtype = /^\s*(?:text|application)\/(?:x-)?([\w.+-]{1,40})/i.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (subtype === undefined) return undefined;
  return languages.get(subtype) ?? (isLanguage(subtype) ? subtype : undefined);
}
