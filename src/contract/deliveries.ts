/** Deliveries that were given up. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { wholeNumber } from "./whole-number.ts";

/** Which deliveries to list. */
export interface DeliveryFilter {
  /** Only those of this job. */
  jobId?: string | undefined;
  /**
   * Deliveries to skip, 0 or more.
   * @default 0
   */
  skip?: number | undefined;
  /**
   * Most deliveries to return, 1 to 10000.
   * @default 1000
   */
  limit?: number | undefined;
}

export const deliveryFilter: z.ZodType<Filled<DeliveryFilter, "jobId">, DeliveryFilter | undefined> = z
  .strictObject({
    jobId: z.string().toLowerCase().optional(),
    skip: wholeNumber().min(0).default(0),
    limit: wholeNumber().min(1).max(10_000).default(1000),
  } satisfies Fields<DeliveryFilter>)
  .prefault({});

/** The answer of `getFailedDeliveries`. */
export interface FailedDeliveries {
  success: true;
  /** Oldest first. */
  deliveries: FailedDelivery[];
}

/** An event whose delivery to one receiver was given up after all attempts. */
export interface FailedDelivery {
  /** Id to pass to `redeliver`. */
  id: string;
  jobId: string | null;
  /** `webhook`, or `events.<n>` for the host's n-th sink. */
  target: string;
  /** Type of the event: `crawl.page` … … */
  type: string;
  /** For a webhook: where it was sent. */
  url?: string;
  attempts: number;
  /** Why the last attempt failed. */
  error: string;
  /** ISO 8601. */
  failedAt: string;
}
