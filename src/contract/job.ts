/** Jobs: their ids, and the answers of the calls about them. */
import { z } from "zod";
import type { Document } from "./document.ts";
import type { Fields } from "./fields.ts";
import type { ParsedScrapeOptions } from "./scrape-options.ts";
import { wholeNumber } from "./whole-number.ts";

/** The id of a job: a UUID. */
export const jobId: z.ZodType<string, string> = z.guid("must be a UUID").toLowerCase();

/** Which part of a job's data to return. */
export interface StatusPage {
  /**
   * Documents to skip, 0 or more.
   * @default 0
   */
  skip?: number | undefined;
  /**
   * Most documents to return, 1 or more. Default: as many as fit into one answer (the engine's
   * `limits.statusChunkBytes`).
   */
  limit?: number | undefined;
  /**
   * `next` of an earlier answer; give this instead of `skip`. If there is nothing new while the job runs, the answer
   * waits for it, up to a quarter of a second.
   */
  next?: string | undefined;
}

export interface ParsedStatusPage {
  skip: number;
  limit?: number | undefined;
  next?: string | undefined;
}

export const statusPage: z.ZodType<ParsedStatusPage, StatusPage | undefined> = z
  .strictObject({
    skip: wholeNumber().min(0).optional(),
    limit: wholeNumber().min(1).optional(),
    next: z.string().optional(),
  } satisfies Fields<StatusPage>)
  .transform(({ skip, limit, next }, context) => {
    if (next === undefined) return { skip: skip ?? 0, limit };
    const page = readNext(next);
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message, input: next });
    if (page === null) refuse("next", "is not the next of an earlier answer");
    if (skip !== undefined) refuse("skip", "cannot be given together with next");
    return { skip: page?.skip ?? 0, limit: limit ?? page?.limit, next };
  })
  .prefault({});

/** The position that a `next` URL names. */
function readNext(next: string): Pick<ParsedStatusPage, "skip" | "limit"> | null {
  const query = URL.parse(next)?.searchParams;
  const skip = readNumber(query?.get("skip"), 0);
  const limit = query?.has("limit") ? readNumber(query.get("limit"), 1) : undefined;
  if (skip === null || limit === null) return null;
  return limit === undefined ? { skip } : { skip, limit };
}

function readNumber(text: string | null | undefined, min: number): number | null {
  const value = /^\d{1,15}$/.test(text ?? "") ? Number(text) : -1;
  return value < min ? null : value;
}

/** Kinds of jobs; the names of their events begin with it. */
export type JobKind = "crawl" | "batch_scrape" | "extract";

/** States of a crawl or batch scrape. */
export type JobState = "scraping" | "completed" | "failed" | "cancelled";

/** The status of a crawl or batch scrape, with a part of its documents. */
export interface JobStatus<Json = unknown> {
  status: JobState;
  /**
   * Pages that have been scraped or have failed and, while the job runs, those still to come as far as they are known.
   */
  total: number;
  /** Pages that were scraped; failed ones do not count. */
  completed: number;
  /** Credits charged so far. */
  creditsUsed: number;
  /** ISO 8601; after it the job and its data are gone. It is extended while a job that takes longer is worked on. */
  expiresAt: string;
  /** URL of the next part; null if this is the last part of a job that has ended. */
  next: string | null;
  /** In the order in which the pages were finished; the element at `skip: n` never changes. */
  data: Document<Json>[];
}

/** Which pages of a job failed or were left out, and why. */
export interface JobErrors {
  errors: JobError[];
  /** URLs that robots.txt forbids. */
  robotsBlocked: string[];
  /**
   * URLs that were found but not scraped. Reasons: `EXTERNAL`, `EXTERNAL_FROM_EXTERNAL`, `SUBDOMAIN`,
   * `OUTSIDE_START_PATH`, `EXCLUDED`, `NOT_INCLUDED`, `FILE_TYPE`, `MAX_DEPTH`, `MAX_DISCOVERY_DEPTH`, `LIMIT`,
   * `URL_TOO_LONG`, `INVALID_URL`.
   */
  skipped: { url: string; reason: string }[];
}

/** A page that could not be scraped. */
export interface JobError {
  /** Id of the page inside the job. */
  id: string;
  /** ISO 8601: when it failed. */
  timestamp: string;
  url: string;
  /** Code of the `ScrapeError`: `SCRAPE_TIMEOUT` … */
  code: string;
  error: string;
}

/** The crawls of a team that are in progress. */
export interface ActiveCrawls {
  success: true;
  crawls: ActiveCrawl[];
}

/** A crawl that is in progress. */
export interface ActiveCrawl {
  id: string;
  teamId: string;
  url: string;
  /** ISO 8601. */
  created_at: string;
  /** The options of the crawl, defaults included. */
  options: { scrapeOptions: ParsedScrapeOptions; [option: string]: unknown };
}

/** The answer to a call that cancels a job. */
export interface Cancelled {
  success: true;
  status: "cancelled";
}
