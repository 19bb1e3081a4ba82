import type { CallContext } from "../contract/call-context.ts";
import type { ScrapeResponse } from "../contract/document.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { type ScrapeRequest, scrapeRequest } from "../contract/scrape.ts";
import { leastPageCredits } from "../page/credits.ts";
import type { CallParts } from "./call-parts.ts";
import { featuresOf } from "./lend-model.ts";
import { openCall, unitedSignal } from "./open-call.ts";
import { book, payFor } from "./pay.ts";
import { readRequest } from "./read-request.ts";

const form = { schema: scrapeRequest, place: "top", what: "scrape request" } as const;

/** Scrapes one page. */
export async function scrape(parts: CallParts, input: ScrapeRequest, context?: CallContext): Promise<ScrapeResponse> {
  const caller = openCall(parts, context);
  const request = await readRequest(parts, form, input);
  refuseUnsupported(requiredFeatures("scrape", request), featuresOf(parts, caller));
  const atLeast = leastPageCredits(request.scrapeOptions, request.zeroDataRetention, parts.pricing);
  return payFor(parts, caller, { kind: "scrape", atLeast }, async (id) => {
    const { document, credits, tokens } = await parts.scrapePage({
      url: request.url,
      sourceURL: request.sourceURL,
      scrapeId: id,
      options: request.scrapeOptions,
      team: caller.team,
      zeroDataRetention: request.zeroDataRetention,
      discover: false,
      model: caller.model,
      signal: unitedSignal(parts, caller.signal),
    });
    await book(parts, caller, { id, kind: "scrape", credits, tokens });
    return { success: true, data: document, ...(document.warning === undefined ? {} : { warning: document.warning }) };
  });
}
