import type { CallContext } from "../contract/call-context.ts";
import type { ScrapeResponse } from "../contract/document.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { type ScrapeRequest, scrapeRequest } from "../contract/scrape.ts";
import { withDeadline } from "../fetch/deadline.ts";
import { leastPageCredits } from "../page/credits.ts";
import type { CallParts } from "./call-parts.ts";
import { featuresOf } from "./lend-model.ts";
import { openCallFor, unitedSignal } from "./open-call.ts";
import { book, payFor } from "./pay.ts";
import { readRequest } from "./read-request.ts";

const form = { schema: scrapeRequest, place: "top", what: "scrape request" } as const;

/** Scrapes one page. */
export async function scrape(parts: CallParts, input: ScrapeRequest, context?: CallContext): Promise<ScrapeResponse> {
  const { caller, request } = await openCallFor(parts, context, () => readRequest(form, input));
  refuseUnsupported(requiredFeatures("scrape", request), featuresOf(parts, caller));
  const atLeast = leastPageCredits(request.scrapeOptions, request.zeroDataRetention, parts.pricing);
  const signal = unitedSignal(parts, caller.signal);
  const deadline = withDeadline(signal, request.scrapeOptions.timeout);
  try {
    return await payFor(parts, caller, { kind: "scrape", atLeast }, deadline, async (id) => {
      const { document, credits, tokens } = await parts.scrapePage({
        url: request.url,
        sourceURL: request.sourceURL,
        scrapeId: id,
        options: request.scrapeOptions,
        team: caller.team,
        zeroDataRetention: request.zeroDataRetention,
        discover: false,
        model: caller.model,
        signal,
        deadline,
      });
      await book(parts, caller, { id, kind: "scrape", credits, tokens });
      const { warning } = document;
      return { success: true, data: document, ...(warning === undefined ? {} : { warning }) };
    });
  } finally {
    deadline.dispose();
  }
}
