import type { JobKind } from "../contract/job.ts";
import type { WebhookEvent } from "../contract/webhook.ts";

/**
 * Receives every event of every job: in order within a job, at least once, with a stable `id`. A sink that throws,
 * rejects or stalls delays nobody but itself. An event that it refuses is tried again three times, then kept as failed.
 *
 * @example
 * const sink: EventSink = { emit: ({ type, jobId }) => console.log(type, jobId) };
 * const engine = createEngine({ events: sink });
 */
export interface EventSink {
  emit(event: JobEvent): Promise<void> | void;
}

/** Something that happened to a job. */
export interface JobEvent {
  /** The same in every attempt at delivering the event. */
  readonly id: string;
  readonly type: JobEventType;
  readonly team: string;
  readonly jobId: string;
  /** ISO 8601: when it happened. */
  readonly at: string;
  /** False if the page or the job failed. */
  readonly success: boolean;
  /** With `page`: the page's document. With `extract.completed`: one object with the data of the job. Otherwise empty. */
  readonly data: readonly unknown[];
  /** The request's `webhook.metadata`; empty without one. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Why the page or the job failed. */
  readonly error?: string;
}

/** `crawl.page` … */
export type JobEventType = `${JobKind}.${WebhookEvent}`;
