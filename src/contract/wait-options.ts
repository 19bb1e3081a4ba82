/** What a caller may say when it waits for a job. */
import { z } from "zod";
import { signal } from "./call-context.ts";
import type { Fields } from "./fields.ts";
import type { JobStatus } from "./job.ts";

/** Progress of a job, as `wait` tells it: the status without its data. */
export type JobProgress = Omit<JobStatus, "next" | "data">;

export interface WaitOptions {
  /** Stops waiting; the job goes on. */
  signal?: AbortSignal;
  /** Called whenever the numbers have changed. */
  onProgress?: (progress: JobProgress) => void;
}

export const waitOptions: z.ZodType<WaitOptions, WaitOptions | undefined> = z
  .strictObject({
    signal: signal.optional(),
    onProgress: z
      .custom<(progress: JobProgress) => void>((value) => typeof value === "function", "must be a function")
      .optional(),
  } satisfies Fields<WaitOptions>)
  .prefault({});
