/** What a page declares about itself for machines: a graph of typed things, its Open Graph tags, its data tables. */

export interface StructuredData {
  /** Things that are not part of another one, in the order of the page. */
  readonly items: readonly StructuredItem[];
  /** The names of the page: its title and its first headings. */
  readonly headings: readonly string[];
  /** Open Graph and its relatives by property: `og:title`, `product:price:amount`. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly tables: readonly StructuredTable[];
  /** Labels with one value each: rows of a table with a head and one cell, `dt` and `dd`. */
  readonly pairs: readonly (readonly [label: string, value: string])[];
  /** The page declares more than this: a limit was reached, and lists may lack members. */
  readonly isCut?: boolean;
}

export interface StructuredItem {
  /** Without their vocabulary: `Product`. */
  readonly types: readonly string[];
  readonly properties: Readonly<Record<string, readonly StructuredValue[]>>;
  readonly from: "json-ld" | "microdata" | "rdfa";
}

export type StructuredValue = string | number | boolean | StructuredItem;

export interface StructuredTable {
  readonly headers: readonly string[];
  /** Each with as many cells as there are headers. */
  readonly rows: readonly (readonly string[])[];
}
