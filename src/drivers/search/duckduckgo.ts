/**
 * DuckDuckGo's page for browsers without scripts, read as HTML. Best effort: the page may change at any time, and turns
 * away those who ask often. Put a provider with an API before it.
 */
import { parseTimeFilter } from "../../contract/time-filter.ts";
import { ScrapeError } from "../../errors.ts";
import type { SearchHit, SearchLimits, SearchProvider, SearchQuery } from "../../ports/search-provider.ts";
import { askText } from "./ask.ts";
import { checkProviderOptions } from "./provider-options.ts";
import { writeQuery } from "./write-query.ts";

/** Options of {@link duckDuckGo}. */
export interface DuckDuckGoOptions {
  /** Address of the search page. @default "https://html.duckduckgo.com/html/" */
  readonly url?: string | undefined;
  readonly limits?: SearchLimits | undefined;
}

const ranges = { hour: "d", day: "d", week: "w", month: "m", year: "y" } as const;

/** Regions that it does not call by the code of the country and of the language; one it does not know has no effect. */
const regions: Readonly<Record<string, string>> = {
  gb: "uk-en",
  hk: "hk-tzh",
  jp: "jp-jp",
  kr: "kr-kr",
  si: "sl-sl",
  tw: "tw-tzh",
};

function regionOf(country: string, lang: string): string {
  return regions[country] ?? `${country}-${lang.split("-")[0]}`.toLowerCase();
}

/**
 * A search provider that reads DuckDuckGo's page for browsers without scripts. Best effort: the page may change, and it
 * turns away those who ask often; the default limit is 10 searches a minute.
 *
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong with the options
 * @example
 * createEngine({ search: [searxng({ url }), duckDuckGo()] });
 */
export function duckDuckGo(options: DuckDuckGoOptions = {}): SearchProvider {
  checkProviderOptions("duckDuckGo", options, ["url?", "limits?"]);
  const { requestsPerMinute = 10, maxResults, timeoutMs } = options.limits ?? {};
  const url = options.url ?? "https://html.duckduckgo.com/html/";
  return {
    name: "duckduckgo",
    limits: { requestsPerMinute, maxResults, timeoutMs },
    async search(query, context) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const html = await askText({ url, method: "POST", headers, body: String(parameters(query)) }, context);
      const hits = await readResults(html);
      if (hits.length === 0 && /anomaly|captcha|challenge/i.test(html)) {
        throw new ScrapeError("SCRAPE_SITE_ERROR", "wants to see a person", { retryable: true });
      }
      return hits;
    },
  };
}

function parameters(query: SearchQuery): URLSearchParams {
  const { tbs, lang, country } = query;
  const time = tbs === undefined ? null : parseTimeFilter(tbs);
  return new URLSearchParams({
    q: writeQuery(query),
    ...(country === undefined || lang === undefined ? {} : { kl: regionOf(country, lang) }),
    ...(time === null ? {} : { df: "past" in time ? ranges[time.past] : `${time.from}..${time.to}` }),
  });
}

/** Titles are links of the class `result__a`; descriptions follow in elements of the class `result__snippet`. */
async function readResults(html: string): Promise<SearchHit[]> {
  const { Parser } = await import("htmlparser2");
  const hits: { url: string; title: string; description: string }[] = [];
  let part: "title" | "description" | undefined;
  let tag = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      const classes = ` ${attributes["class"] ?? ""} `;
      if (name === "a" && classes.includes(" result__a ")) {
        hits.push({ url: target(attributes["href"] ?? ""), title: "", description: "" });
        part = "title";
        tag = name;
      } else if (classes.includes(" result__snippet ") && hits.length > 0) {
        part = "description";
        tag = name;
      }
    },
    ontext(text) {
      const hit = hits.at(-1);
      if (part !== undefined && hit !== undefined && hit[part].length < 2000) hit[part] += text;
    },
    onclosetag(name) {
      if (name === tag) part = undefined;
    },
  });
  parser.end(html);
  return hits
    .filter(({ url }) => /^https?:/.test(url))
    .map(({ url, title, description }) => ({ url, title: oneLine(title), description: oneLine(description) }));
}

/** Links lead over a page that counts them; the target is a parameter. Advertisements have none. */
function target(href: string): string {
  const url = URL.parse(href, "https://duckduckgo.com/");
  if (url === null) return "";
  if (!/(?:^|\.)duckduckgo\.com$/.test(url.hostname)) return url.href;
  return url.searchParams.get("uddg") ?? "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
