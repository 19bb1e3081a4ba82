import type { CallContext } from "../contract/call-context.ts";
import { type ExtractRequest, type ExtractStatus, extractRequest, namesNoUrls } from "../contract/extract.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { describeExtract } from "../jobs/extract-status.ts";
import { startExtract } from "../jobs/start.ts";
import { readSchema } from "../model/schema.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelOnAbort } from "./cancel.ts";
import { schemaReader, storableSchema } from "./check-schemas.ts";
import { ExtractJob } from "./extract-job.ts";
import { findOwnJob } from "./job-views.ts";
import { featuresOf, lendingModel } from "./lend-model.ts";
import { openCallFor } from "./open-call.ts";
import { reserve } from "./pay.ts";
import { readRequest } from "./read-request.ts";

const form = { schema: extractRequest, place: "extract", what: "extract request" } as const;

/** Starts an extract job. */
export async function extract(parts: CallParts, input: ExtractRequest, context?: CallContext): Promise<ExtractJob> {
  const toJson = schemaReader();
  const { caller, request } = await openCallFor(parts, context, () => readRequest(form, input, toJson));
  refuseUnsupported(requiredFeatures("extract", request), featuresOf(parts, caller));
  const { invalidURLs, schema, enableWebSearch, ...kept } = request;
  const searches = enableWebSearch || namesNoUrls(request);
  const stored = { ...kept, searches, schema: schema && storableSchema(schema, toJson) };
  const id = await reserve(parts, caller, { kind: "extract", atLeast: 0 }, (id) =>
    lendingModel(parts, id, caller, () => startExtract(parts.start, stored, caller, id)),
  );
  cancelOnAbort(parts, "extract", id, caller);
  return new ExtractJob(parts, id, caller.team, { invalidURLs, schema: schema && readSchema(schema, toJson) });
}

export async function extractStatus(parts: CallParts, id: string, context?: CallContext): Promise<ExtractStatus> {
  return describeExtract(await findOwnJob(parts, "extract", id, context));
}
