/** What a page can be turned into. */
import { z } from "zod";
import { list } from "./list.ts";

/** The values of `formats`, with the key of the document that each fills. */
export const formatKeys = {
  markdown: "markdown",
  html: "html",
  rawHtml: "rawHtml",
  links: "links",
  screenshot: "screenshot",
  "screenshot@fullPage": "screenshot",
  json: "json",
  extract: "extract",
  summary: "summary",
  changeTracking: "changeTracking",
} as const;

export type Format = keyof typeof formatKeys;

const all = Object.keys(formatKeys) as Format[];
const ofSearch = all.filter((format) => format !== "summary" && format !== "changeTracking");

/** Formats of a page; naming one twice does no harm, except for pictures, where it hides a contradiction. */
function formatList<Value extends Format>(values: readonly Value[]) {
  return list(z.enum(values), 100)
    .refine((formats) => formats.filter((format) => format.startsWith("screenshot")).length < 2, {
      error: "must have one of screenshot and screenshot@fullPage, once",
    })
    .transform((formats) => [...new Set(formats)]);
}

/** Formats of a scraped page. */
export const pageFormats = formatList(all);
/** Formats of a search result. */
export const searchFormats = formatList(ofSearch as Exclude<Format, "summary" | "changeTracking">[]);
