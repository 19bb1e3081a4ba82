/** Searches the web, and scrapes the pages of the results if asked to. */
import type { CallContext, ParsedCallContext } from "../contract/call-context.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import {
  type ParsedSearchRequest,
  type SearchRequest,
  type SearchResponse,
  type SearchResult,
  searchRequest,
} from "../contract/search.ts";
import { isTimeout, ScrapeError } from "../errors.ts";
import { withDeadline } from "../fetch/deadline.ts";
import { describeFailure } from "../jobs/page-completion.ts";
import type { SearchHit } from "../ports/search-provider.ts";
import { creditSum } from "../shared/credit-sum.ts";
import type { CallParts } from "./call-parts.ts";
import { featuresOf } from "./lend-model.ts";
import { openCallFor, unitedSignal } from "./open-call.ts";
import { book, payFor } from "./pay.ts";
import { readRequest } from "./read-request.ts";

const form = { schema: searchRequest, place: "scrapeOptions", what: "search request" } as const;

export async function search(parts: CallParts, input: SearchRequest, context?: CallContext): Promise<SearchResponse> {
  const { caller, request } = await openCallFor(parts, context, () => readRequest(form, input));
  refuseUnsupported(requiredFeatures("search", request), featuresOf(parts, caller));
  const deadline = withDeadline(unitedSignal(parts, caller.signal), request.timeout);
  try {
    return await payFor(parts, caller, { kind: "search", atLeast: parts.pricing.searchResult }, deadline, (id) =>
      answer(parts, request, caller, { chargeId: id, signal: deadline.signal }),
    );
  } catch (error) {
    if (deadline.signal.aborted && error === deadline.signal.reason && isTimeout(error)) {
      throw new ScrapeError("SCRAPE_TIMEOUT", `The search was not finished within ${request.timeout} ms`);
    }
    throw error;
  } finally {
    deadline.dispose();
  }
}

async function answer(
  parts: CallParts,
  request: ParsedSearchRequest,
  caller: ParsedCallContext,
  { chargeId, signal }: { readonly chargeId: string; readonly signal: AbortSignal },
): Promise<SearchResponse> {
  const { query, limit, tbs, location, lang, country, filter, ignoreInvalidURLs } = request;
  const found = await parts.webSearch(
    {
      query,
      limit,
      lang,
      country,
      team: caller.team,
      validOnly: ignoreInvalidURLs,
      ...(tbs === undefined ? {} : { tbs }),
      ...(location === undefined ? {} : { location }),
      ...(filter === undefined ? {} : { filter }),
    },
    signal,
  );
  const warnings = [...found.warnings];
  const results = await pagesOf(parts, request, caller, found.hits, signal);
  caller.signal?.throwIfAborted();
  const failed = results.filter(
    ({ result }) => result.metadata?.error !== undefined && result.metadata.statusCode === 0,
  );
  if (failed.length > 0) warnings.push(`${failed.length} of ${results.length} results could not be scraped`);
  if (results.length === 0) warnings.push("Nothing was found");
  const credits = creditSum(results.reduce((sum, result) => sum + result.credits, 0));
  const tokens = results.reduce((sum, result) => sum + result.tokens, 0);
  await book(parts, caller, { id: chargeId, kind: "search", credits, tokens });
  const data = results.map(({ result }) => result);
  return { success: true, data, warning: warnings.length === 0 ? null : `${warnings.join("; ")}.` };
}

interface PricedResult {
  readonly result: SearchResult;
  readonly credits: number;
  readonly tokens: number;
}

async function pagesOf(
  parts: CallParts,
  { scrapeOptions }: ParsedSearchRequest,
  caller: ParsedCallContext,
  hits: readonly SearchHit[],
  signal: AbortSignal,
): Promise<PricedResult[]> {
  const unscraped = (hit: SearchHit) => ({ result: { ...hit }, credits: parts.pricing.searchResult, tokens: 0 });
  if (scrapeOptions.formats.length === 0) return hits.map(unscraped);
  const scrape = async (hit: SearchHit): Promise<PricedResult> => {
    const { url, title, description } = hit;
    try {
      const { document, credits, tokens } = await parts.scrapePage({
        url,
        options: scrapeOptions,
        team: caller.team,
        zeroDataRetention: false,
        discover: false,
        model: caller.model,
        signal,
      });
      return { result: { ...document, url, title, description }, credits, tokens };
    } catch (error) {
      // If the call's time has expired, or the page cannot be scraped, the result itself stays.
      if (signal.aborted && !isTimeout(signal.reason)) throw error;
      const metadata = { title, description, sourceURL: url, statusCode: 0, error: describeFailure(url, error).error };
      return { ...unscraped(hit), result: { ...hit, metadata } };
    }
  };
  return Promise.all(hits.map(scrape));
}
