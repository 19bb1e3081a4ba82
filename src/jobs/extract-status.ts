import type { ExtractStatus } from "../contract/extract.ts";
import type { JobRecord } from "../ports/job-store.ts";
import type { ExtractResult } from "./extract-result.ts";

/** The status of an extract job, as its caller gets it. */
export function describeExtract(job: JobRecord): ExtractStatus {
  const { state, error, result, tokensUsed, expiresAt } = job;
  const ended = { expiresAt: new Date(expiresAt).toISOString(), tokensUsed };
  if (state === "completed" && result !== null) {
    return { success: true, status: "completed", ...(JSON.parse(result) as ExtractResult), ...ended };
  }
  return {
    success: state !== "failed",
    status: state === "scraping" ? "processing" : state,
    data: [],
    ...(error === null ? {} : { error }),
    ...ended,
  };
}
