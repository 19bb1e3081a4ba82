import type { JobKind } from "../contract/job.ts";
import type { WebhookEvent } from "../contract/webhook.ts";

/**
 * Receives every event of every job, in order per job, at least once with a stable `id`.
 * A sink that throws, rejects or stalls delays nobody but itself; what it refuses is tried again, then kept as failed.
 */
export interface EventSink {
  emit(event: JobEvent): Promise<void> | void;
}

/** Something that a job has come to. */
export interface JobEvent {
  /** Stable over retries. */
  readonly id: string;
  readonly type: JobEventType;
  readonly team: string;
  readonly jobId: string;
  /** When it happened, ISO 8601. */
  readonly at: string;
  readonly success: boolean;
  readonly data: readonly unknown[];
  /** What the request's `webhook.metadata` says; empty without one. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

/** `crawl.page` … */
export type JobEventType = `${JobKind}.${WebhookEvent}`;
