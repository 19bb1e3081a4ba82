import type { Feature } from "../contract/features.ts";
import type { Following } from "../jobs/follow.ts";
import type { JobModels } from "../jobs/job-models.ts";
import type { ReadRanges } from "../jobs/read-ranges.ts";
import type { SiteFiles } from "../jobs/site-files.ts";
import type { StartParts } from "../jobs/start.ts";
import type { WebSearch } from "../jobs/web-search.ts";
import type { Limits, Pricing } from "../options.ts";
import type { ScrapePage } from "../page/scrape-page.ts";
import type { Billing } from "../ports/billing.ts";
import type { Storage } from "../ports/storage.ts";
import type { Telemetry } from "../ports/telemetry.ts";

/** The parts of one engine that its calls use. */
export interface CallParts {
  readonly storage: Storage;
  readonly start: StartParts;
  readonly following: Following;
  readonly scrapePage: ScrapePage;
  readonly siteFiles: SiteFiles;
  readonly jobModels: JobModels;
  readonly readRanges: ReadRanges;
  readonly webSearch: WebSearch;
  /** The host's own billing; null: everything is allowed and booked in the storage's ledger. */
  readonly billing: Billing | null;
  readonly limits: Required<Limits>;
  readonly pricing: Pricing;
  readonly publicUrl: string;
  readonly has: (feature: Feature) => boolean;
  /** Drops the work that this engine does for a job. */
  readonly abandon: (jobId: string, reason: unknown) => void;
  readonly telemetry: Telemetry;
  /** Follows what a call does to its end, even if its caller has stopped waiting: the storage stays open until then. */
  readonly track: (work: Promise<unknown>) => void;
  /** Fires when the engine closes. */
  readonly closing: AbortSignal;
}
