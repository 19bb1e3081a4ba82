/** The options of `wait()`. */
import { z } from "zod";
import { signal } from "./call-context.ts";
import type { Fields } from "./fields.ts";
import type { JobStatus } from "./job.ts";
import { parse } from "./parse.ts";

/** The progress of a job: its status without the data. */
export type JobProgress = Omit<JobStatus, "next" | "data">;

/** The options of a job's `wait()`. */
export interface WaitOptions<Progress = JobProgress> {
  /** Stops the waiting; the job continues. */
  signal?: AbortSignal | undefined;
  /**
   * Called whenever the numbers have changed; if it returns a promise, that is awaited. An error that it throws ends
   * the waiting.
   */
  onProgress?: ((progress: Progress) => unknown) | undefined;
}

type Parsed = WaitOptions<never>;

const options: z.ZodType<Parsed, Parsed | undefined> = z
  .strictObject({
    signal: signal.optional(),
    onProgress: z
      .custom<NonNullable<Parsed["onProgress"]>>((value) => typeof value === "function", "must be a function")
      .optional(),
  } satisfies Fields<Parsed>)
  .prefault({});

/** @throws RequestError `BAD_REQUEST` */
export function parseWaitOptions<Progress>(input: WaitOptions<Progress> | undefined): WaitOptions<Progress> {
  return parse(options, input, "wait options") as WaitOptions<Progress>;
}
