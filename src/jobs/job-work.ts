import type { JobRecord, LeasedPage } from "../ports/job-store.ts";
import type { DepthOrder } from "./depth-order.ts";
import type { Lane } from "./lane.ts";

/** What the worker asks of a job, depending on its kind. One is created for each job that is taken up. */
export interface JobWork {
  /** Most pages at once, if the request says. */
  readonly maxConcurrency: number | undefined;
  /** The order of its pages by depth, if it has one. */
  readonly depths?: DepthOrder | undefined;
  /**
   * Called before the first page starts, for example to read robots.txt. May set `lane.delayMs` and `lane.hostDelays`.
   */
  prepare(lane: Lane): Promise<void>;
  /** Admits the job's seeds and ends with `finishExpansion`. Runs beside the pages; runs again after a crash. */
  expand(lane: Lane): Promise<void>;
  /** Works on one page up to its completion. Resolves even if the page failed; rejects only on a defect. */
  workPage(lane: Lane, page: LeasedPage): Promise<PageEnd>;
  /** Called once no page is open: ends the job, or admits further pages instead. */
  finish(job: JobRecord): Promise<void>;
}

export interface PageEnd {
  /** A result was listed. */
  readonly listed: boolean;
  /** In so many milliseconds there are more pages: 0 if some were admitted, more if this one is tried again. */
  readonly moreInMs?: number;
  /** The site was not asked for the page, so that nothing has to wait for a delay. */
  readonly unasked?: boolean;
  /** The lease was lost: the job may have been cancelled elsewhere. */
  readonly fenced: boolean;
}
