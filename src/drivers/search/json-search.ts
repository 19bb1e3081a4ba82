/** Any search service with a JSON API, given how to ask it and where the results are in its answer. */
import type { SearchLimits, SearchProvider, SearchQuery } from "../../ports/search-provider.ts";
import { askJson } from "./ask.ts";
import { checkProviderOptions } from "./provider-options.ts";
import { at, type HitFields, hitsOf } from "./read-answer.ts";
import { withParameters } from "./with-parameters.ts";

/** How to ask an API, and where the results are in its answer. */
export interface JsonSearchOptions {
  /** The provider's name in warnings. */
  readonly name: string;
  /** URL of the API; a private address must be allowed by `network.allowHosts`. */
  readonly url: string;
  /** Method of the request. @default "POST" */
  readonly method?: "GET" | "POST" | undefined;
  /** Headers to send with each request, such as the API key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the body of a POST, or the parameters of a GET. Undefined values are left out. */
  readonly request: (query: SearchQuery) => Readonly<Record<string, unknown>>;
  /** Path of the list of results in the answer: `organic`, `web.results`. */
  readonly results: string;
  /** Paths to the URL, title and description in each result. */
  readonly fields: HitFields;
  readonly limits?: SearchLimits | undefined;
}

/**
 * A search provider over a JSON API.
 *
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong with the options
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
