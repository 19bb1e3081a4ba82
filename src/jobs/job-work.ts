import type { JobRecord, LeasedPage } from "../ports/job-store.ts";
import type { Lane } from "./lane.ts";

/** What the worker asks of the kind of a job. One of these is made for each job that is taken up. */
export interface JobWork {
  /** Most pages at once, as far as the request says. */
  readonly maxConcurrency: number | undefined;
  /** Done before the first page starts: robots.txt, say. May set `lane.delayMs` and `lane.hostDelays`. */
  prepare(lane: Lane): Promise<void>;
  /** Admits the job's seeds and ends with `finishExpansion`. Runs beside the pages; runs again after a crash. */
  expand(lane: Lane): Promise<void>;
  /** Works one page up to its completion. Resolves also when the page failed; rejects only on a defect. */
  workPage(lane: Lane, page: LeasedPage): Promise<PageEnd>;
  /** Ends the job once no page is open, or admits further ones instead. */
  finish(job: JobRecord): Promise<void>;
}

export interface PageEnd {
  /** A result was listed. */
  readonly listed: boolean;
  /** New pages were admitted, or this one went back into the queue. */
  readonly more: boolean;
  /** The lease was lost: the job may have been cancelled elsewhere. */
  readonly fenced: boolean;
}
