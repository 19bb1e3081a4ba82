/** SearXNG, a metasearch engine to run yourself. Its settings must allow the format `json`. */
import { parseTimeFilter, type TimeFilter } from "../../contract/time-filter.ts";
import type { SearchLimits, SearchProvider, SearchQuery } from "../../ports/search-provider.ts";
import { askJson } from "./ask.ts";
import { gatherPages } from "./gather-pages.ts";
import { checkProviderOptions } from "./provider-options.ts";
import { at, hitsOf } from "./read-answer.ts";
import { withParameters } from "./with-parameters.ts";
import { writeQuery } from "./write-query.ts";

/** Which SearXNG instance to ask, and how. */
export interface SearxngOptions {
  /** URL of the instance; a private address must be allowed by `network.allowHosts`. */
  readonly url: string;
  /** Headers to send with each request, if the instance wants a password or key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Search engines that the instance is to ask: `["google", "bing"]`. Default: those in its settings. */
  readonly engines?: readonly string[] | undefined;
  /** Categories to search in. @default ["general"] */
  readonly categories?: readonly string[] | undefined;
  readonly limits?: SearchLimits | undefined;
}

const fields = { url: "url", title: "title", description: "content" };
/** A page of results holds ten to thirty. */
const maxPages = 5;
const ranges = { hour: "day", day: "day", week: "week", month: "month", year: "year" } as const;

/**
 * A search provider that asks a SearXNG instance, whose settings must allow the format `json`.
 *
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong with the options
 * @example
 * createEngine({ search: searxng({ url: "http://localhost:8888" }), network: { allowHosts: ["localhost"] } });
 */
export function searxng(options: SearxngOptions): SearchProvider {
  checkProviderOptions("searxng", options, ["url", "headers?", "engines?", "categories?", "limits?"]);
  const base = options.url.replace(/\/+$/, "");
  return {
    name: "searxng",
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    async search(query, context) {
      const time = query.tbs === undefined ? null : parseTimeFilter(query.tbs);
      return gatherPages({ limit: query.limit, maxPages, signal: context.signal }, async (page) => {
        const url = withParameters(`${base}/search`, parameters(options, query, time, page + 1));
        const answer = await askJson(
          { url, ...(options.headers === undefined ? {} : { headers: options.headers }) },
          context,
        );
        const given = at(answer, "results");
        const list: readonly unknown[] = Array.isArray(given) ? given : [];
        const silent = silentEngines(answer);
        if (page === 0 && list.length === 0 && silent !== "") context.warn?.(`no answer from ${silent}`);
        const hits = hitsOf(
          list.filter((entry) => isInTime(entry, time)),
          fields,
        );
        return { hits, hasMore: list.length > 0 };
      });
    },
  };
}

function parameters(options: SearxngOptions, query: SearchQuery, time: TimeFilter | null, page: number) {
  const { lang, country } = query;
  return {
    q: writeQuery(query),
    format: "json",
    pageno: page,
    language:
      lang === undefined || lang.includes("-") || country === undefined ? lang : `${lang}-${country.toUpperCase()}`,
    time_range: time !== null && "past" in time ? ranges[time.past] : undefined,
    engines: options.engines?.join(","),
    categories: options.categories?.join(","),
  };
}

/** The engines that SearXNG asked in vain, each with the reason: without results, there may be pages all the same. */
function silentEngines(answer: unknown): string {
  const given = at(answer, "unresponsive_engines");
  const pairs: readonly unknown[] = Array.isArray(given) ? given : [];
  return pairs.flatMap((pair) => (Array.isArray(pair) ? [`${pair[0]} (${pair[1]})`] : [])).join(", ");
}

/** SearXNG has no range of dates and no hours: results that give a date are held to it here. */
function isInTime(entry: unknown, time: TimeFilter | null): boolean {
  const date = at(entry, "publishedDate");
  const published = typeof date === "string" ? Date.parse(date) : Number.NaN;
  if (time === null || Number.isNaN(published)) return true;
  if ("past" in time) return time.past !== "hour" || published >= Date.now() - 60 * 60 * 1000;
  return published >= Date.parse(time.from) && published < Date.parse(time.to) + 24 * 60 * 60 * 1000;
}
