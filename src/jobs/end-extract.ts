/** Ends an extract job: merges the answers of its pages, and closes the job with the result. */
import type { Document } from "../contract/document.ts";
import type { JsonSchema } from "../contract/schema-option.ts";
import type { JobRecord } from "../ports/job-store.ts";
import type { Charge } from "../ports/ledger.ts";
import { type AnnouncedJob, announce, chargeItem, releaseItems } from "./announce.ts";
import { closeWith, type EndParts } from "./end-job.ts";
import type { PageAnswer } from "./extract-page.ts";
import { uniteAnswers } from "./extract-result.ts";
import { readAll } from "./follow.ts";
import { someOf } from "./some-of.ts";

interface ExtractEnd {
  readonly announced: AnnouncedJob;
  readonly schema: JsonSchema | undefined;
  readonly showSources: boolean;
  /** Problems that do not belong to a page. */
  readonly problems: readonly string[];
  /** Tokens that were not charged with a page: those for drafting the schema of a job without pages. */
  readonly openTokens: number;
}

export async function endExtract(parts: EndParts, job: JobRecord, end: ExtractEnd): Promise<void> {
  const documents = (await readAll(parts.jobs, job)) as readonly (Document & Partial<PageAnswer>)[];
  const answers = documents.filter((document): document is Document & PageAnswer => document.order !== undefined);
  const failures = documents.filter(({ order }) => order === undefined);
  const problems = [...end.problems];
  if (failures.length > 0) {
    const reasons = failures.map(({ metadata }) => `${metadata.sourceURL}: ${metadata.error}`);
    problems.push(`${failures.length} of ${documents.length} pages could not be read (${someOf(reasons, "; ")}).`);
  }
  const finishedAt = Date.now();
  const error = whyNothing(answers, problems);
  const state = error === undefined ? "completed" : "failed";
  const united = await uniteAnswers(end.schema, answers, end.showSources);
  const warning = [...problems, united.warning].filter((text) => text !== undefined).join(" ");
  const charge = chargeOf(job, end.openTokens, finishedAt);
  const outbox = [
    ...announce(
      end.announced,
      state,
      parts.sinks.events,
      finishedAt,
      error === undefined
        ? { data: [{ success: true, ...united, extractId: job.id, totalUrlsScraped: answers.length }] }
        : { error },
    ),
    ...(charge !== undefined && parts.sinks.billing ? [chargeItem(charge)] : []),
    ...releaseItems(parts.sinks, job),
  ];
  await closeWith(parts, job, {
    state,
    finishedAt,
    result: error === undefined ? JSON.stringify({ ...united, ...(warning === "" ? {} : { warning }) }) : undefined,
    error,
    ...(charge === undefined ? {} : { charge }),
    outbox,
  });
}

/**
 * If pages were read but contain nothing that was asked for, that is an answer. If no page could be read, the job has
 * failed.
 */
function whyNothing(answers: readonly PageAnswer[], problems: readonly string[]): string | undefined {
  const isRead = (answer: PageAnswer) =>
    answer.structured !== undefined || answer.model !== undefined || answer.problems.length === 0;
  if (answers.some(isRead)) return undefined;
  const reasons = new Set([...problems, ...answers.flatMap((answer) => answer.problems)]);
  return reasons.size === 0 ? "No page was found to read" : [...reasons].slice(0, 5).join(" ");
}

function chargeOf({ id: jobId, team, apiKey }: JobRecord, tokens: number, at: number): Charge | undefined {
  return tokens === 0
    ? undefined
    : { id: `${jobId}/schema`, team, apiKey, jobId, kind: "extract", credits: 0, tokens, at };
}
