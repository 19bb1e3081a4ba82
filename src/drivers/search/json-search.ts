/** Any search service with a JSON API, by saying how it is asked and where its results stand. */
import type { SearchLimits, SearchProvider, SearchQuery } from "../../ports/search-provider.ts";
import { askJson } from "./ask.ts";
import { checkProviderOptions } from "./provider-options.ts";
import { at, type HitFields, hitsOf } from "./read-answer.ts";

/** What is asked of an API, and where the results stand in its answer. */
export interface JsonSearchOptions {
  /** What warnings call it. */
  readonly name: string;
  /** Where it is asked; one on a private address must be in `network.allowHosts`. */
  readonly url: string;
  /** @default "POST" */
  readonly method?: "GET" | "POST" | undefined;
  /** Sent with each request: the key, as a rule. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body of a POST, or the parameters of a GET. Undefined values are left out. */
  readonly request: (query: SearchQuery) => Readonly<Record<string, unknown>>;
  /** Path of the list of results in the answer: `organic`, `web.results`. */
  readonly results: string;
  /** Paths in each result. */
  readonly fields: HitFields;
  readonly limits?: SearchLimits | undefined;
}

/**
 * @throws RequestError `BAD_REQUEST` that names all that is wrong with the options
 * @example
 * const serper = jsonSearch({
 *   name: "serper",
 *   url: "https://google.serper.dev/search",
 *   headers: { "x-api-key": key },
 *   request: ({ query, limit, tbs, location, lang, country }) => ({ q: query, num: limit, tbs, location, hl: lang, gl: country }),
 *   results: "organic",
 *   fields: { url: "link", title: "title", description: "snippet" },
 * });
 */
export function jsonSearch(options: JsonSearchOptions): SearchProvider {
  checkProviderOptions("jsonSearch", options, [
    "name",
    "url",
    "method?",
    "headers?",
    "request",
    "results",
    "fields",
    "limits?",
  ]);
  const { name, method = "POST", headers = {}, fields } = options;
  return {
    name,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    async search(query, context) {
      const wanted = options.request(query);
      const request =
        method === "POST"
          ? {
              url: options.url,
              method,
              headers: { "content-type": "application/json", ...headers },
              body: JSON.stringify(wanted),
            }
          : { url: withParameters(options.url, wanted), headers };
      const answer = await askJson(request, context);
      return hitsOf(at(answer, options.results), fields);
    },
  };
}

function withParameters(address: string, parameters: Readonly<Record<string, unknown>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}
