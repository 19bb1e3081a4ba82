import { type BatchScrapeRequest, batchScrapeRequest } from "../contract/batch-scrape.ts";
import type { CallContext } from "../contract/call-context.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { parse } from "../contract/parse.ts";
import { appendToBatch, startBatchScrape } from "../jobs/start.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelOnAbort } from "./cancel.ts";
import { storableSchemas } from "./check-schemas.ts";
import { checkTags } from "./check-tags.ts";
import { featuresOf, returnModel } from "./lend-model.ts";
import { openCall } from "./open-call.ts";
import { PageJob } from "./page-job.ts";
import { authorize } from "./pay.ts";

/** A list of URLs, or more of them for a batch that exists. */
export async function batchScrape(
  parts: CallParts,
  input: BatchScrapeRequest,
  context?: CallContext,
): Promise<PageJob> {
  const call = openCall(parts, context);
  const parsed = parse(batchScrapeRequest, input, "batch scrape request");
  const request = { ...parsed, scrapeOptions: storableSchemas(parsed.scrapeOptions, [], "batch scrape request") };
  refuseUnsupported(requiredFeatures("batchScrape", request), featuresOf(parts, call));
  checkTags(parts, request.scrapeOptions, [], "batch scrape request");
  await authorize(parts, call, "batch_scrape", request.urls.length * parts.pricing.page);
  call.signal?.throwIfAborted();
  const caller = { team: call.team, apiKey: call.apiKey ?? null, model: call.model };
  const { appendToId } = request;
  if (appendToId !== undefined) await appendToBatch(parts.start, appendToId, request, caller);
  const id = appendToId ?? (await startBatchScrape(parts.start, request, caller));
  returnModel(parts, id, call);
  if (appendToId === undefined) cancelOnAbort(parts, "batch_scrape", id, call.team, call.signal);
  return new PageJob(parts, "batch_scrape", id, call.team, request.invalidURLs);
}
