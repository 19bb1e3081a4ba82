/** Writes a query in the language that web search services share. */
import type { SearchQuery } from "../../ports/search-provider.ts";
import { choicesOf, type SearchTerm } from "../../shared/search-terms.ts";

const operators = { url: "inurl:", title: "intitle:", site: "site:", anywhere: "", related: "" } as const;

/**
 * The query with its place and filter. What services do not know is left out, and the engine checks it: `related:`, and
 * the exclusion of results that contain all of several words.
 */
export function writeQuery({ terms, location, filter }: SearchQuery): string {
  const written = terms.flatMap((term) => {
    const choices = choicesOf(term);
    return choices.every(isKnown) ? [choices.map(write).join(" OR ")] : [];
  });
  return [...written, location, filter].filter(Boolean).join(" ");
}

function isKnown({ field, text, exact, negated }: SearchTerm): boolean {
  return field !== "related" && (exact || !negated || !text.includes(" "));
}

function write({ field, text, exact, negated }: SearchTerm): string {
  return `${negated ? "-" : ""}${operators[field]}${exact ? `"${text}"` : text}`;
}
