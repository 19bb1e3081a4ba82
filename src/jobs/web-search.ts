/** Searches the web with the engine's providers in their order; if one fails or finds nothing, the next is asked. */

import { usualSearch } from "../contract/search.ts";
import { normaliseInputUrl } from "../contract/url.ts";
import { ScrapeError } from "../errors.ts";
import { pageKey } from "../frontier/url-key.ts";
import type { HttpClient } from "../ports/http-client.ts";
import type { SearchHit, SearchProvider, SearchQuery } from "../ports/search-provider.ts";
import { shownErrorText } from "../shared/error-text.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { meetsTerms, parseSearchQuery, withOptionalWords } from "../shared/search-terms.ts";
import { Turn } from "../shared/turn.ts";

interface WebQuery extends Omit<SearchQuery, "terms" | "limit"> {
  readonly limit: number;
  /** Leave out results whose URLs no other call would accept. */
  readonly validOnly: boolean;
  /** The query is a sentence, of which a page need not contain every word. */
  readonly isWish?: boolean;
}

interface FoundPages {
  /** Each page once, in the provider's order. */
  readonly hits: readonly SearchHit[];
  /** Why providers were passed over, if any were. */
  readonly warnings: readonly string[];
}

/** @throws ScrapeError `SCRAPE_ALL_ENGINES_FAILED` with all reasons, if no provider answered; or the signal's reason */
export type WebSearch = (query: WebQuery, signal: AbortSignal) => Promise<FoundPages>;

const defaultTimeoutMs = 15_000;
const minute = 60_000;

export function createWebSearch(providers: readonly SearchProvider[], http: HttpClient): WebSearch {
  /** When each provider was asked in the last minute. */
  const asked = new Map<SearchProvider, number[]>();

  /** Whether the provider may be asked once more; that counts as a request. */
  function mayAsk(provider: SearchProvider): boolean {
    const most = provider.limits?.requestsPerMinute;
    if (most === undefined) return true;
    // The time of day may be set back.
    const now = performance.now();
    const times = (asked.get(provider) ?? []).filter((time) => time > now - minute);
    asked.set(provider, times);
    if (times.length >= most) return false;
    times.push(now);
    return true;
  }

  async function ask(
    provider: SearchProvider,
    query: SearchQuery,
    signal: AbortSignal,
    warn: (text: string) => void,
  ): Promise<readonly SearchHit[]> {
    const timeoutMs = provider.limits?.timeoutMs ?? defaultTimeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const stop = AbortSignal.any([signal, timeout]);
    try {
      // A host's own provider may not listen to the signal.
      return await orAborted((async () => provider.search(query, { signal: stop, http, warn }))(), stop);
    } catch (error) {
      if (timeout.aborted && !signal.aborted) throw new Error(`gave no answer within ${timeoutMs} ms`);
      throw error;
    }
  }

  return async ({ limit, validOnly, isWish = false, ...rest }, signal) => {
    const allRequired = parseSearchQuery(rest.query);
    const warnings: string[] = [];
    let answered = false;
    for (const provider of providers) {
      signal.throwIfAborted();
      // Of a provider that is followed by another, pages that lack some of the words would hide better ones.
      const terms = isWish || provider === providers.at(-1) ? withOptionalWords(allRequired) : allRequired;
      if (!mayAsk(provider)) {
        warnings.push(`${provider.name}: has been asked as often as its limit allows`);
        continue;
      }
      try {
        // More than wanted: some may be duplicates, or not match the query's operators.
        const wanted = Math.min(provider.limits?.maxResults ?? 100, 100, 2 * limit);
        const warn = (text: string) => void warnings.push(`${provider.name}: ${reasonOf(text)}`);
        const found: unknown = await ask(provider, { ...rest, terms, limit: wanted }, signal, warn);
        if (!Array.isArray(found)) throw new Error("gave no list of results");
        const hits: SearchHit[] = [];
        const turn = new Turn();
        for (const hit of sift(found, validOnly)) {
          if (turn.isOver()) {
            await turn.next();
            signal.throwIfAborted();
          }
          if (meetsTerms(terms, hit) && hits.push(hit) === limit) break;
        }
        answered = true;
        if (hits.length > 0) return { hits, warnings: [...warnings, ...unused(provider, rest)] };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        warnings.push(`${provider.name}: ${reasonOf(error)}`);
      }
    }
    if (answered || providers.length === 0) return { hits: [], warnings };
    throw new ScrapeError("SCRAPE_ALL_ENGINES_FAILED", `No search provider answered. ${warnings.join("; ")}`);
  };
}

/** Options of the query that had no effect, as a warning. */
function unused({ name, ignores = [] }: SearchProvider, query: Omit<SearchQuery, "terms" | "limit">): string[] {
  const usual: Partial<typeof query> = usualSearch;
  const fields = ignores.filter((field) => query[field] !== undefined && query[field] !== usual[field]);
  return fields.length === 0 ? [] : [`${name}: makes no use of ${fields.join(", ")}`];
}

/** Addresses are shortened, because their queries may contain keys. */
function reasonOf(error: unknown): string {
  const message = shownErrorText(error);
  return message.slice(0, 500).replace(/(https?:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]*)[^\s]*/gi, "$1$2");
}

/**
 * Each page once, and only entries that have the form of a result. Addresses get the scheme that every call puts in
 * front of them; an address that no call would accept stays as it is, unless only valid ones are wanted.
 *
 * @throws Error if there are entries, but none has an address: the provider calls it something else
 */
function* sift(found: readonly (Partial<SearchHit> | null)[], validOnly: boolean): Generator<SearchHit, void> {
  const known = new Set<string>();
  let hasUrls = false;
  for (const hit of found) {
    const { url, title, description } = hit ?? {};
    if (typeof url !== "string" || url.trim() === "") continue;
    hasUrls = true;
    const fit = normaliseInputUrl(url);
    if (validOnly && fit === null) continue;
    const address = fit ?? url;
    const key = pageKey(address);
    if (known.has(key)) continue;
    known.add(key);
    yield { url: address, title: textOf(title), description: textOf(description) };
  }
  if (found.length > 0 && !hasUrls) throw new Error("gave results without a url");
}

/** A provider of the host may return anything; values that are no text mean nothing to a reader. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
