/** Jobs: how they are named, and what the calls about them answer. */
import { z } from "zod";
import type { Document } from "./document.ts";
import type { ParsedScrapeOptions } from "./scrape-options.ts";

/** The id of a job: a UUID. */
export const jobId = z.guid("must be a UUID").transform((id) => id.toLowerCase());

/** Which part of a job's data to return. */
export const statusPage = z
  .strictObject({
    /**
     * Documents to pass over; 0 or more.
     * @default 0
     */
    skip: z.int().min(0).optional(),
    /** Most documents to return; 1 or more. Default: as many as fit into one answer. */
    limit: z.int().min(1).optional(),
    /** `next` of an earlier answer; instead of `skip`. */
    next: z.string().optional(),
  })
  .transform(({ skip = 0, limit, next }, context) => {
    if (next === undefined) return { skip, limit };
    const query = URL.parse(next)?.searchParams;
    const position = Number(query?.get("skip") || Number.NaN);
    const size = query?.has("limit") ? Number(query.get("limit")) : limit;
    if (
      !Number.isSafeInteger(position) ||
      position < 0 ||
      !(size === undefined || (Number.isSafeInteger(size) && size > 0))
    ) {
      context.addIssue({
        code: "custom",
        path: ["next"],
        message: "is not the next of an earlier answer",
        input: next,
      });
    } else if (skip > 0) {
      context.addIssue({ code: "custom", path: ["skip"], message: "cannot be given together with next", input: skip });
    }
    return { skip: position, limit: size };
  })
  .prefault({});

export type StatusPage = z.input<typeof statusPage>;
export type ParsedStatusPage = z.output<typeof statusPage>;

/** States of a crawl or batch scrape. */
export type JobState = "scraping" | "completed" | "failed" | "cancelled";

/** What a crawl or batch scrape has come to. */
export interface JobStatus<Json = unknown> {
  status: JobState;
  /** Pages attempted. */
  total: number;
  /** Pages scraped with success. */
  completed: number;
  /** Credits charged so far. */
  creditsUsed: number;
  /** ISO 8601; after it the job and its data are gone. */
  expiresAt: string;
  /** URL of the next part; null when this is the last part of a job that has ended. */
  next: string | null;
  /** In the order in which pages were finished; the element at `skip: n` never changes. */
  data: Document<Json>[];
}

/** Which pages of a job failed or were left out, and why. */
export interface JobErrors {
  errors: JobError[];
  /** URLs that robots.txt forbids. */
  robotsBlocked: string[];
  /** URLs that were found and not scraped. */
  skipped: { url: string; reason: string }[];
}

export interface JobError {
  /** Id of the page inside the job. */
  id: string;
  /** ISO 8601, when it failed. */
  timestamp: string;
  url: string;
  /** Code of the `ScrapeError`: `SCRAPE_TIMEOUT` … */
  code: string;
  error: string;
}

/** The crawls of a team that are at work. */
export interface ActiveCrawls {
  success: true;
  crawls: ActiveCrawl[];
}

export interface ActiveCrawl {
  id: string;
  teamId: string;
  url: string;
  /** ISO 8601. */
  created_at: string;
  /** The options of the crawl with their defaults. */
  options: { scrapeOptions: ParsedScrapeOptions; [option: string]: unknown };
}

/** The answer to a cancelled job. */
export interface Cancelled {
  success: true;
  status: "cancelled";
}
