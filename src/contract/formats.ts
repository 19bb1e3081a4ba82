/** The formats: what can be returned of a page. */
import { z } from "zod";
import { list } from "./list.ts";

/** The values of `formats`, with the key of the document that each fills. */
const formatKeys = {
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

/** What to return of a page. */
export type Format = keyof typeof formatKeys;
/** What to return of a search result's page. */
export type SearchFormat = Exclude<Format, "summary" | "changeTracking">;

const pageValues = Object.keys(formatKeys) as Format[];
const searchValues = pageValues.filter((format) => format !== "summary" && format !== "changeTracking");

/** Most entries of a list. */
export const maxFormats = 100;
const pictures: readonly Format[] = ["screenshot", "screenshot@fullPage"];

/** Listing a format twice does no harm, except for screenshots, of which there can be only one. */
function formatList<Value extends Format>(values: readonly Value[]): z.ZodType<readonly Value[], readonly Value[]> {
  return list(z.enum(values), maxFormats)
    .refine((formats) => formats.filter((format) => pictures.includes(format)).length < 2, {
      error: "must have one of screenshot and screenshot@fullPage, once",
      // Each format by itself is valid, so the rules between formats and other options hold too.
      params: { betweenFields: true },
      // Whatever else is in the list, as long as it is one.
      when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0),
    })
    .transform((formats) => [...new Set(formats)]);
}

export const pageFormats = formatList(pageValues);
export const searchFormats = formatList(searchValues as SearchFormat[]);
