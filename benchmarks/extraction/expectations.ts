/** The figures that are measured, each with that of the best other engine and the one expected of this engine. */

/** A figure of the scorer, for a set or for one page type in it. */
export interface Measure {
  readonly name: string;
  readonly set: string;
  readonly type?: string;
  readonly figure:
    | "wF1"
    | "wP"
    | "wR"
    | "shF1"
    | "snF1"
    | "struct"
    | "headings"
    | "items"
    | "code"
    | "cells"
    | "links"
    | "codeExact";
  readonly expected?: number;
  /** The best other engine, as recorded with the project's goals (trafilatura 2, Defuddle, Readability and others). */
  readonly peer?: string;
}

export const MEASURES: readonly Measure[] = [
  { name: "wcxb words F1", set: "wcxb", figure: "wF1", expected: 0.86, peer: "trafilatura .778" },
  { name: "wcxb words precision", set: "wcxb", figure: "wP", expected: 0.85 },
  { name: "wcxb words recall", set: "wcxb", figure: "wR", expected: 0.85 },
  { name: "  article", set: "wcxb", type: "article", figure: "wF1", expected: 0.95, peer: ".940" },
  { name: "  documentation", set: "wcxb", type: "documentation", figure: "wF1", expected: 0.965, peer: ".957" },
  { name: "  service", set: "wcxb", type: "service", figure: "wF1", expected: 0.86, peer: ".825" },
  { name: "  forum", set: "wcxb", type: "forum", figure: "wF1", expected: 0.82, peer: ".726" },
  { name: "  product", set: "wcxb", type: "product", figure: "wF1", expected: 0.76, peer: ".724" },
  { name: "  collection", set: "wcxb", type: "collection", figure: "wF1", expected: 0.75, peer: ".648" },
  { name: "  listing", set: "wcxb", type: "listing", figure: "wF1", expected: 0.78, peer: ".737" },
  { name: "wcxb snippets F1", set: "wcxb", figure: "snF1" },
  { name: "wcxb structure", set: "wcxb", figure: "struct", expected: 0.9, peer: "Defuddle .844" },
  { name: "  headings", set: "wcxb", figure: "headings", expected: 0.88 },
  { name: "  list items", set: "wcxb", figure: "items" },
  { name: "  code", set: "wcxb", figure: "code", expected: 0.98 },
  { name: "  code exact", set: "wcxb", figure: "codeExact", expected: 0.9 },
  { name: "  table cells", set: "wcxb", figure: "cells" },
  { name: "  links", set: "wcxb", figure: "links", expected: 0.9 },
  { name: "scrapinghub 4-grams F1", set: "scrapinghub", figure: "shF1", expected: 0.97, peer: "trafilatura .957" },
  { name: "trafilatura snippets F1", set: "trafilatura", figure: "snF1", expected: 0.935, peer: ".912" },
  { name: "mozilla 4-grams F1", set: "mozilla", figure: "shF1", expected: 0.95, peer: "Defuddle .946" },
  { name: "daniel 4-grams F1", set: "daniel", figure: "shF1", expected: 0.92, peer: ".896" },
  { name: "chinese-mit 4-grams F1", set: "chinese-mit", figure: "shF1", expected: 0.87, peer: ".848" },
  { name: "defuddle words F1", set: "defuddle", figure: "wF1", expected: 0.95, peer: "trafilatura .912" },
  { name: "webmainbench words F1", set: "webmainbench", figure: "wF1" },
];
