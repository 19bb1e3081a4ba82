import type { CallContext } from "../contract/call-context.ts";
import { type ExtractRequest, type ExtractStatus, extractRequest } from "../contract/extract.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { badRequest, parse } from "../contract/parse.ts";
import { globProblem, isGlob } from "../frontier/url-glob.ts";
import { describeExtract } from "../jobs/extract-status.ts";
import { startExtract } from "../jobs/start.ts";
import { readSchema } from "../model/schema.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelOnAbort } from "./cancel.ts";
import { storableSchema } from "./check-schemas.ts";
import { checkTags } from "./check-tags.ts";
import { ExtractJob } from "./extract-job.ts";
import { findOwnJob } from "./job-views.ts";
import { featuresOf, returnModel } from "./lend-model.ts";
import { openCall } from "./open-call.ts";
import { reserve } from "./pay.ts";

const what = "extract request";

/** Structured data from pages and whole sites. */
export async function extract(parts: CallParts, input: ExtractRequest, context?: CallContext): Promise<ExtractJob> {
  const caller = openCall(parts, context);
  const request = parse(extractRequest, input, what);
  refuseUnsupported(requiredFeatures("extract", request), featuresOf(parts, caller));
  await checkTags(parts, request.scrapeOptions, ["scrapeOptions"], what);
  checkGlobs(request.urls);
  const { invalidURLs, schema, enableWebSearch, scrapeOptions: asked, ...kept } = request;
  const stored = storableSchema(schema, what);
  // Formats have no effect here, nor do their options, whose schemas may be no JSON.
  const { jsonOptions: _json, extract: _extract, changeTrackingOptions: _tracking, ...scrapeOptions } = asked;
  // A list of nothing but bad URLs is no wish for a search.
  const searches = enableWebSearch || (request.urls.length === 0 && invalidURLs === undefined);
  const id = await reserve(parts, caller, { kind: "extract", atLeast: 0 }, (id) =>
    startExtract(parts.start, { ...kept, scrapeOptions, searches, schema: stored }, caller, id),
  );
  returnModel(parts, id, caller);
  cancelOnAbort(parts, "extract", id, caller.team, caller.signal);
  return new ExtractJob(parts, id, caller.team, { invalidURLs, schema: schema && readSchema(schema) });
}

export async function extractStatus(parts: CallParts, id: string, context?: CallContext): Promise<ExtractStatus> {
  return describeExtract(await findOwnJob(parts, "extract", id, context));
}

function checkGlobs(urls: readonly string[]): void {
  const details = urls.flatMap((url, index) => {
    const problem = isGlob(url) ? globProblem(url) : undefined;
    return problem === undefined ? [] : [{ code: "invalid_glob", path: ["urls", index], ...problem }];
  });
  if (details.length > 0) throw badRequest(what, details);
}
