/** One request to a search service that answers with JSON. */
import { ScrapeError } from "../../errors.ts";
import type { HttpRequest } from "../../ports/http-client.ts";
import type { SearchHit, SearchOptions } from "../../ports/search-provider.ts";

const maxAnswerBytes = 8 * 1024 * 1024;

/** @throws ScrapeError when the service refuses or gives no JSON */
export async function askJson(request: HttpRequest, { http, signal }: SearchOptions): Promise<unknown> {
  const body = await askText(
    { ...request, headers: { accept: "application/json", ...request.headers } },
    { http, signal },
  );
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new ScrapeError("SCRAPE_SITE_ERROR", "gave an answer that is no JSON", { cause });
  }
}

/** @throws ScrapeError for every status but 2xx */
export async function askText(request: HttpRequest, { http, signal }: SearchOptions): Promise<string> {
  const { statusCode, body } = await http.request({ maxBodyBytes: maxAnswerBytes, ...request, signal });
  if (statusCode >= 200 && statusCode < 300) return new TextDecoder().decode(body);
  throw new ScrapeError("SCRAPE_SITE_ERROR", refusals[statusCode] ?? `answered with status ${statusCode}`, {
    retryable: statusCode === 429 || statusCode >= 500,
  });
}

const refusals: Readonly<Record<number, string>> = {
  401: "refused the key (401)",
  402: "wants to be paid (402)",
  403: "refused (403)",
  429: "asks for a pause (429)",
};

/** What stands at a path such as `web.results`; undefined where it leads nowhere. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Where the parts of a result stand in it. */
export interface HitFields {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

/** The results in a list; entries without a URL are left out. */
export function hitsOf(list: unknown, fields: HitFields): SearchHit[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => {
    const url = at(entry, fields.url);
    if (typeof url !== "string" || url === "") return [];
    return [{ url, title: plain(at(entry, fields.title)), description: plain(at(entry, fields.description)) }];
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function character(name: string): string | undefined {
  if (!name.startsWith("#")) return Object.hasOwn(entities, name) ? entities[name] : undefined;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code >= 0x20 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : undefined;
}

/** Services mark the words found with tags. */
function plain(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .slice(0, 10_000)
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/&([a-z]+|#\d{1,7}|#x[0-9a-f]{1,6});/gi, (whole, name: string) => character(name.toLowerCase()) ?? whole)
    .replace(/\s+/g, " ")
    .trim();
}
