/** Writes a query in the language that web search services share. */
import type { SearchQuery } from "../../ports/search-provider.ts";

const operators = { url: "inurl:", title: "intitle:", site: "site:", anywhere: "" } as const;

/** The query with its place and filter. A `related:` is left out, because hardly any service knows it. */
export function writeQuery({ terms, location, filter }: SearchQuery): string {
  const written = terms.flatMap(({ field, text, exact, negated }) =>
    field === "related" ? [] : [`${negated ? "-" : ""}${operators[field]}${exact ? `"${text}"` : text}`],
  );
  return [written.join(" "), location, filter].filter(Boolean).join(" ");
}
