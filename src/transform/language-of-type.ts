// The languages that media types name: what is served as one is code or data, in which each sign counts.

import { isLanguage } from "./markdown/code-languages.ts";

/** Subtypes that are called otherwise than their language. */
const languages: ReadonlyMap<string, string> = new Map([
  ["calendar", "ics"],
  ["csrc", "c"],
  ["ecmascript", "javascript"],
  ["tab-separated-values", "tsv"],
  ["vcard", "vcf"],
]);

/** `csv` of `text/csv; charset=utf-8`; undefined for a type that says nothing of a language, such as `text/plain`. */
export function languageOfType(contentType: string | undefined): string | undefined {
  const subtype = /^\s*(?:text|application)\/(?:x-)?([\w.+-]{1,40})/i.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (subtype === undefined) return undefined;
  return languages.get(subtype) ?? (isLanguage(subtype) ? subtype : undefined);
}
