// What the HTML standard says about single elements, as far as parsing needs it.

/** Elements without content, which have no end tag. */
export const voidElements: ReadonlySet<string> = new Set(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "),
);

/** Elements whose content is text for the machine or the user, not markup. */
export const rawTextElements: ReadonlySet<string> = new Set("script style xmp".split(" "));

/** Elements whose start tag ends an open paragraph. */
export const closesParagraph: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p plaintext pre search section summary table ul xmp"
  ).split(" "),
);

export const headingElements: ReadonlySet<string> = new Set("h1 h2 h3 h4 h5 h6".split(" "));

/** 1 to 6 for a heading only by its role, of this `aria-level`; browsers assume the second level if none is given. */
export function headingLevel(level: string | undefined): number {
  const number = /^\s*\d{1,3}\s*$/.test(level ?? "") ? Number(level) : 2;
  return Math.max(1, Math.min(6, number));
}

/** Inline elements that authors close in the wrong order; blocks in between are split instead of ended. */
export const formattingElements: ReadonlySet<string> = new Set(
  "a b big code em font i nobr s small strike strong tt u".split(" "),
);

/** Elements out of which end tags do not reach. */
export const scopeBarriers: ReadonlySet<string> = new Set(
  "html body table tr td th caption template object applet marquee".split(" "),
);

/** Lists; the end tag of an item does not reach out of them to the item around them. */
export const listBarriers: ReadonlySet<string> = new Set(["ul", "ol"]);

/** End tags that do reach out of a table cell. */
export const tableParts: ReadonlySet<string> = new Set("table caption tbody thead tfoot tr td th template".split(" "));

/** Elements that contain cells only in rows; a cell right inside them begins a row. */
export const rowParents: ReadonlySet<string> = new Set("table tbody thead tfoot".split(" "));

/** Elements of SVG and MathML that contain HTML. */
export const htmlInForeign: ReadonlySet<string> = new Set(
  "foreignobject desc title annotation-xml mi mo mn ms mtext".split(" "),
);

/** Inline elements that are never directly in a drawing or formula: browsers end it there, as they do at most blocks. */
export const endsForeign: ReadonlySet<string> = new Set(
  "b big br code em embed i img nobr ruby s small span strike strong sub sup tt u var".split(" "),
);

/** Elements that may be in `head`, before the body begins. */
export const headElements: ReadonlySet<string> = new Set(
  "base basefont bgsound link meta title noscript noframes style script template".split(" "),
);

/** The open elements that a start tag ends, and those beyond which it does not search for them. */
export interface ImpliedEnds {
  readonly ends: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

/** By the name of the start tag. `p` is not listed: see {@link closesParagraph}. */
export const impliedEnds: ReadonlyMap<string, ImpliedEnds> = (() => {
  const rules: [starts: string, ends: string, within: string][] = [
    ["li", "li", "ul ol menu dir table td th"],
    ["dt dd", "dt dd", "dl table td th"],
    ["option", "option", "select datalist table td"],
    ["optgroup", "option optgroup", "select table td"],
    ["select input textarea", "select", "table td th caption"],
    ["rt rp", "rt rp", "ruby table td"],
    ["td th", "td th", "tr table"],
    ["tr", "tr td th caption colgroup", "table tbody thead tfoot"],
    ["tbody thead tfoot", "tbody thead tfoot tr td th caption colgroup", "table"],
    ["caption colgroup", "caption colgroup", "table"],
    ["table", "table", "td th caption"],
  ];
  const set = (names: string) => new Set(names.split(" "));
  const table = new Map<string, ImpliedEnds>();
  for (const [starts, ends, within] of rules) {
    for (const start of starts.split(" ")) table.set(start, { ends: set(ends), within: set(within) });
  }
  return table;
})();
