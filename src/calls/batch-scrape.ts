import { type BatchScrapeRequest, batchScrapeRequest, maxBatchUrls } from "../contract/batch-scrape.ts";
import type { CallContext } from "../contract/call-context.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { readUrlsAhead } from "../contract/url-list.ts";
import { appendToBatch, countNewPages, findBatch } from "../jobs/append.ts";
import { batchPages } from "../jobs/batch-pages.ts";
import { startBatchScrape } from "../jobs/start.ts";
import { leastPageCredits } from "../page/credits.ts";
import { creditSum } from "../shared/credit-sum.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelOnAbort } from "./cancel.ts";
import { schemaReader, storableSchemas } from "./check-schemas.ts";
import { convertDocuments } from "./convert-documents.ts";
import { featuresOf, lendingModel } from "./lend-model.ts";
import { openCallFor, unitedSignal } from "./open-call.ts";
import { PageJob } from "./page-job.ts";
import { reserve, reserveMore } from "./pay.ts";
import { readRequest } from "./read-request.ts";

const form = { schema: batchScrapeRequest, place: "top", what: "batch scrape request" } as const;

/** Starts a batch scrape of a list of URLs, or adds them to an existing batch. */
export async function batchScrape(
  parts: CallParts,
  input: BatchScrapeRequest,
  context?: CallContext,
): Promise<PageJob> {
  const toJson = schemaReader();
  const { caller, request: parsed } = await openCallFor(parts, context, async (signal) => {
    const read = await readUrlsAhead(input, maxBatchUrls, unitedSignal(parts, signal));
    return readRequest(form, read, toJson);
  });
  const request = { ...parsed, scrapeOptions: storableSchemas(parsed.scrapeOptions, toJson) };
  refuseUnsupported(requiredFeatures("batchScrape", request), featuresOf(parts, caller));
  const { appendToId, invalidURLs } = request;
  const options = { invalidURLs, convert: convertDocuments(parsed.scrapeOptions, toJson) };
  const pages = await batchPages(request.urls);
  const least = (count: number, zeroDataRetention: boolean) =>
    creditSum(count * leastPageCredits(request.scrapeOptions, zeroDataRetention, parts.pricing));
  if (appendToId !== undefined) {
    const batch = await findBatch(parts.start.jobs, appendToId, request, pages, caller.team);
    const count = parts.billing === null ? 0 : await countNewPages(parts.start.jobs, batch, request, pages);
    const atLeast = least(count, batch.zeroDataRetention);
    // The batch is charged to the key that started it, so authorisation is asked for that key.
    const payer = { ...caller, apiKey: batch.apiKey ?? undefined };
    // For nothing, nothing is reserved that the end of the batch, which may be past, would release.
    if (pages.length > 0) {
      await reserveMore(parts, payer, { kind: "batch_scrape", atLeast }, appendToId, () =>
        lendingModel(parts, appendToId, caller, () => appendToBatch(parts.start, batch, request, pages)),
      );
    }
    return new PageJob(parts, "batch_scrape", appendToId, caller.team, options);
  }
  const atLeast = least(pages.length, request.zeroDataRetention);
  const id = await reserve(parts, caller, { kind: "batch_scrape", atLeast }, (id) =>
    lendingModel(parts, id, caller, () => startBatchScrape(parts.start, request, pages, caller, id)),
  );
  cancelOnAbort(parts, "batch_scrape", id, caller);
  return new PageJob(parts, "batch_scrape", id, caller.team, options);
}
