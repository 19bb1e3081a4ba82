/** What a caller may say when it waits for a job. */
import { z } from "zod";
import { signal } from "./call-context.ts";
import type { Fields } from "./fields.ts";
import type { JobStatus } from "./job.ts";
import { parse } from "./parse.ts";

/** Progress of a job, as `wait` tells it: the status without its data. */
export type JobProgress = Omit<JobStatus, "next" | "data">;

/** What may be said to `wait()` of a job. */
export interface WaitOptions<Progress = JobProgress> {
  /** Stops waiting; the job goes on. */
  signal?: AbortSignal | undefined;
  /** Called whenever the numbers have changed, and waited for when it gives a promise. What it throws ends the waiting. */
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
