import { randomUUID } from "node:crypto";
import type { ParsedWebhook, WebhookEvent } from "../contract/webhook.ts";
import type { Reservation } from "../ports/billing.ts";
import type { JobEvent } from "../ports/event-sink.ts";
import type { JobKind } from "../ports/job-store.ts";
import type { Charge } from "../ports/ledger.ts";
import type { OutboxItem } from "../ports/outbox.ts";
import type { Telemetry } from "../ports/telemetry.ts";

/** What an announcement needs to know of its job. */
export interface AnnouncedJob {
  readonly id: string;
  readonly team: string;
  readonly kind: JobKind;
  readonly webhook: ParsedWebhook | null;
}

/**
 * The outbox items of an event: one for the job's webhook, if it asked for events of this type, and one for each of the
 * host's event sinks. They are written in the same step as what they report, and delivered from the outbox.
 */
export function announce(
  job: AnnouncedJob,
  happening: WebhookEvent,
  sinks: number,
  at: number,
  content: {
    readonly data?: readonly unknown[];
    /** The page's document is part of the event; see {@link OutboxItem.withDocument}. */
    readonly withDocument?: boolean;
    /** What went wrong; absent for a success. */
    readonly error?: string | undefined;
  } = {},
): OutboxItem[] {
  const targets = Array.from({ length: sinks }, (_, index) => `events.${index}`);
  if (job.webhook?.events.includes(happening)) targets.push("webhook");
  if (targets.length === 0) return [];
  const event: Omit<JobEvent, "metadata"> = {
    id: randomUUID(),
    type: `${job.kind}.${happening}`,
    team: job.team,
    jobId: job.id,
    at: new Date(at).toISOString(),
    success: content.error === undefined,
    data: content.data ?? [],
    ...(content.error === undefined ? {} : { error: content.error }),
  };
  const { metadata, receiver } = lastingTexts(job.webhook);
  const payload = `${JSON.stringify(event).slice(0, -1)},"metadata":${metadata}}`;
  return targets.map((target) => ({
    id: `${event.id}/${target}`,
    team: job.team,
    jobId: job.id,
    target,
    lane: `${job.id}/${target}`,
    // The item itself says where it goes, because the job may be gone by then.
    payload: target === "webhook" ? `${receiver}"event":${payload}}` : payload,
    withDocument: content.withDocument ?? false,
    createdAt: at,
  }));
}

/** What is the same in all events of a job, as JSON text. */
interface LastingTexts {
  readonly metadata: string;
  /** Where its webhook goes: the beginning of an object. */
  readonly receiver: string;
}

const ofNoWebhook: LastingTexts = { metadata: "{}", receiver: "" };
const textsOfWebhooks = new WeakMap<ParsedWebhook, LastingTexts>();

/**
 * Written once: together they may be a hundred times as long as the rest of an event. And events that wait in memory
 * share them.
 */
function lastingTexts(webhook: ParsedWebhook | null): LastingTexts {
  if (webhook === null) return ofNoWebhook;
  const known = textsOfWebhooks.get(webhook);
  if (known !== undefined) return known;
  const { url, headers, metadata } = webhook;
  const receiver = `{"url":${JSON.stringify(url)},"headers":${JSON.stringify(headers)},`;
  const texts = { metadata: JSON.stringify(metadata), receiver };
  textsOfWebhooks.set(webhook, texts);
  return texts;
}

/** The receivers in the host. */
export interface Sinks {
  /** The number of event sinks. */
  readonly events: number;
  /** Whether it does its own billing. */
  readonly billing: boolean;
  /** Whether its billing has a `release`. */
  readonly releases: boolean;
}

/**
 * Tells a host's own billing that the work for which it reserved credits has ended. It comes after all charges of the
 * work.
 */
export function releaseItems(sinks: Sinks, { id, team }: Reservation): OutboxItem[] {
  if (!sinks.releases) return [];
  const payload = JSON.stringify({ release: { id, team } });
  const about = { team, jobId: null, target: "billing", lane: `${team}/billing` };
  return [{ ...about, id: `${randomUUID()}/release`, payload, createdAt: Date.now() }];
}

/** Counts what was charged. */
export function countCharge(
  telemetry: Telemetry,
  { kind, credits, tokens }: Pick<Charge, "kind" | "credits" | "tokens">,
): void {
  if (credits > 0) telemetry.count("crawlcore.credits", credits, { kind });
  if (tokens > 0) telemetry.count("crawlcore.tokens", tokens, { kind });
}

/** The outbox item that delivers a charge to a host's own billing. */
export function chargeItem(charge: Charge): OutboxItem {
  return {
    id: `${charge.id}/billing`,
    team: charge.team,
    jobId: charge.jobId,
    target: "billing",
    lane: `${charge.team}/billing`,
    payload: JSON.stringify(charge),
    createdAt: charge.at,
  };
}
