/** Deliveries that were given up. */
import { z } from "zod";
import type { Fields } from "./fields.ts";

/** Which deliveries to list. */
export interface DeliveryFilter {
  /** Only those of this job. */
  jobId?: string | undefined;
}

export const deliveryFilter: z.ZodType<DeliveryFilter, DeliveryFilter | undefined> = z
  .strictObject({ jobId: z.string().optional() } satisfies Fields<DeliveryFilter>)
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
