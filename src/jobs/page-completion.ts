/** What is stored of a page of a job, charged and announced, when the work on it is done. */

import { randomUUID } from "node:crypto";
import { CrawlcoreError } from "../errors.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";
import type { LeasedPage, LeftOutUrl, NewPage, PageCompletion } from "../ports/job-store.ts";
import type { ChargeKind } from "../ports/ledger.ts";
import type { OutboxItem } from "../ports/outbox.ts";
import { shownErrorText } from "../shared/error-text.ts";
import { type AnnouncedJob, announce, chargeItem, type Sinks } from "./announce.ts";

/** Whom a page is charged to, and for whom it is announced. */
export interface PageOwner {
  readonly job: AnnouncedJob;
  readonly apiKey: string | null;
}

/** What follows for the job from a page or its failure. */
export interface PageConsequences {
  readonly discovered: readonly NewPage[];
  readonly leftOut: readonly LeftOutUrl[];
  /** The page does not belong to the result. */
  readonly drop?: boolean;
  readonly finalKey?: string | undefined;
  readonly memo?: string | undefined;
  /** Called once all this is stored; for a duplicate, only the discovered pages are. */
  readonly stored?: (isDuplicate: boolean) => void;
}

/** Why a page could not be scraped. */
export class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

export function completionOf(
  sinks: Sinks,
  { job, apiKey }: PageOwner,
  page: LeasedPage,
  outcome: ScrapedPage | Failed,
  consequences: PageConsequences,
  now: number,
): PageCompletion {
  const { discovered, leftOut, finalKey, memo } = consequences;
  const rest = { completedAt: now, discovered, leftOut, memo };
  if (consequences.drop) return { ...rest, outcome: "dropped", outbox: [] };
  if (outcome instanceof Failed) {
    const { code, error } = describeFailure(page.url, outcome.error);
    // The status 0 says that no answer came.
    const document = { metadata: { sourceURL: page.url, statusCode: 0, error } };
    return {
      ...rest,
      outcome: "failed",
      document: JSON.stringify(document),
      failure: { id: randomUUID(), url: page.url, code, error },
      outbox: pageEvents(sinks, job, now, error),
    };
  }
  const charge = {
    // A page is charged once, however often it is worked on.
    id: `${page.lease.jobId}/${page.lease.pageId}`,
    team: job.team,
    apiKey,
    jobId: page.lease.jobId,
    kind: job.kind satisfies ChargeKind,
    credits: outcome.credits,
    tokens: outcome.tokens,
    at: now,
  };
  const outbox = pageEvents(sinks, job, now);
  if (sinks.billing) outbox.push(chargeItem(charge));
  return {
    ...rest,
    outcome: "succeeded",
    document: JSON.stringify(outcome.document),
    charge,
    outbox,
    finalKey,
    isError: (outcome.document.metadata.statusCode ?? 0) >= 400,
    version: outcome.version,
  };
}

/** The pages of an extract have none, because their content is not the answer. */
function pageEvents(sinks: Sinks, job: AnnouncedJob, now: number, error?: string): OutboxItem[] {
  return job.kind === "extract" ? [] : announce(job, "page", sinks.events, now, { error, withDocument: true });
}

/** What is said of a page that could not be scraped, because of its site or of a part of the host. */
export function describeFailure(url: string, error: unknown): { code: string; error: string } {
  if (CrawlcoreError.isInstance(error)) return { code: error.code, error: error.message };
  return { code: "UNKNOWN_ERROR", error: `${url} could not be scraped: ${shownErrorText(error)}` };
}
