/** Brave's search API. */
import { parseTimeFilter } from "../../contract/time-filter.ts";
import type { SearchLimits, SearchProvider, SearchQuery } from "../../ports/search-provider.ts";
import { askJson } from "./ask.ts";
import { gatherPages } from "./gather-pages.ts";
import { checkProviderOptions } from "./provider-options.ts";
import { at, hitsOf } from "./read-answer.ts";
import { withParameters } from "./with-parameters.ts";
import { writeQuery } from "./write-query.ts";

/** Options of {@link brave}. */
export interface BraveOptions {
  readonly apiKey: string;
  /** URL of the API. @default "https://api.search.brave.com/res/v1/web/search" */
  readonly url?: string | undefined;
  readonly limits?: SearchLimits | undefined;
}

const fields = { url: "url", title: "title", description: "description" };
const perPage = 20;
/** The longest query that Brave accepts. */
const maxWords = 50;
const maxCharacters = 400;
const maxPages = 5;
const ranges = { hour: "pd", day: "pd", week: "pw", month: "pm", year: "py" } as const;

/** Languages that Brave knows by their code; it refuses the whole search for any other. */
const languages: ReadonlySet<string> = new Set(
  "ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ta te th tr uk vi".split(
    " ",
  ),
);

/** Languages for which Brave has names of its own. */
const renamedLanguages: Readonly<Record<string, string>> = {
  ja: "jp",
  zh: "zh-hans",
  "zh-tw": "zh-hant",
  "zh-hk": "zh-hant",
  "zh-mo": "zh-hant",
  "zh-hant": "zh-hant",
  pt: "pt-pt",
  "pt-br": "pt-br",
  "en-gb": "en-gb",
  no: "nb",
  nn: "nb",
};

/** Countries that Brave knows; it refuses the whole search for any other. */
const countries: ReadonlySet<string> = new Set(
  "AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " ",
  ),
);

function countryOf(code: string): string {
  const name = code.toUpperCase();
  return countries.has(name) ? name : "ALL";
}

/**
 * Brave's name for the longest known prefix of a tag, or else the language alone: `zh-Hant-TW` is `zh-hant`. Undefined
 * for a language that it does not know.
 */
function languageOf(tag: string): string | undefined {
  const parts = tag.toLowerCase().split("-");
  const names = [`${parts[0]}-${parts[1]}`, parts[0]!];
  const renamed = names.find((name) => Object.hasOwn(renamedLanguages, name));
  if (renamed !== undefined) return renamedLanguages[renamed];
  return languages.has(parts[0]!) ? parts[0] : undefined;
}

/** As many whole words of the query as Brave accepts. */
function fitting(query: string): string {
  const words = query.split(" ").slice(0, maxWords).join(" ");
  if (words.length <= maxCharacters) return words;
  const end = words.lastIndexOf(" ", maxCharacters);
  return words.slice(0, end > 0 ? end : maxCharacters);
}

/**
 * A search provider that asks the Brave Search API.
 *
 * @throws RequestError `BAD_REQUEST` that names everything that is wrong with the options
 * @example
 * createEngine({ search: brave({ apiKey }) });
 */
export function brave(options: BraveOptions): SearchProvider {
  checkProviderOptions("brave", options, ["apiKey", "url?", "limits?"]);
  const base = options.url ?? "https://api.search.brave.com/res/v1/web/search";
  return {
    name: "brave",
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    async search(query, context) {
      const { lang } = query;
      if (lang !== undefined && languageOf(lang) === undefined) context.warn?.(`does not know the language ${lang}`);
      const written = writeQuery(query);
      if (fitting(written) !== written) {
        context.warn?.(`takes ${maxWords} words of ${maxCharacters} characters in all, and got no more of the query`);
      }
      return gatherPages({ limit: query.limit, maxPages, signal: context.signal }, async (page) => {
        const url = withParameters(base, parameters(query, page));
        const answer = await askJson({ url, headers: { "x-subscription-token": options.apiKey } }, context);
        return {
          hits: hitsOf(at(answer, "web.results"), fields),
          hasMore: at(answer, "query.more_results_available") === true,
        };
      });
    },
  };
}

function parameters(query: SearchQuery, page: number) {
  const { limit, tbs, lang, country } = query;
  const time = tbs === undefined ? undefined : parseTimeFilter(tbs);
  return {
    q: fitting(writeQuery(query)),
    count: Math.min(perPage, limit),
    offset: page,
    text_decorations: false,
    country: country && countryOf(country),
    search_lang: lang && languageOf(lang),
    freshness: time && ("past" in time ? ranges[time.past] : `${time.from}to${time.to}`),
  };
}
