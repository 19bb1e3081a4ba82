/** Webhooks: where the events of a job are sent, and which. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { headers } from "./headers.ts";
import type { JobKind } from "./job.ts";
import { list } from "./list.ts";
import { ofForm } from "./of-form.ts";
import { httpUrl } from "./url.ts";

/** What a job reports. */
const webhookEvents = ["started", "page", "completed", "failed"] as const;
/** The short name of an event. */
export type WebhookEvent = (typeof webhookEvents)[number];

/** Most characters of `metadata` as JSON text. */
const maxMetadataLength = 65_536;
/**
 * Most characters of all headers together; servers take about half of it. They are stored with every event that waits
 * for its delivery, of which a job may have a hundred thousand.
 */
const maxHeadersLength = 32_768;

const webhookHeaders = headers.refine(
  (given) =>
    Object.entries(given).reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= maxHeadersLength,
  `must have at most ${maxHeadersLength} characters together`,
);

const metadata = ofForm<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
).transform((given, context): Record<string, unknown> => {
  const text = asJson(given);
  if (text?.startsWith("{") && text.length <= maxMetadataLength) return JSON.parse(text);
  const message = text?.startsWith("{") ? `must have at most ${maxMetadataLength} characters as JSON` : "must be JSON";
  context.addIssue({ code: "custom", message, input: given });
  return z.NEVER;
});

function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Where the events of a job are sent, and which. Events may be named in full (`crawl.page`) or in short (`page`). */
export interface Webhook<Kind extends JobKind = JobKind> {
  /** URL that receives a POST request for each event; http or https. */
  url: string;
  /**
   * Headers to send with every delivery. Up to 100, of 32,768 characters together.
   * @default {}
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Data of your own that is returned in every delivery: any JSON object of up to 65,536 characters.
   * @default {}
   */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Which events to deliver; with an empty list, none.
   * @default ["started", "page", "completed", "failed"]
   */
  events?: readonly (WebhookEvent | `${Kind}.${WebhookEvent}`)[] | undefined;
}

/** With the short names of the events, each once. */
export interface ParsedWebhook extends Filled<Omit<Webhook, "events">> {
  events: readonly WebhookEvent[];
}

/** The `webhook` of a request for one kind of job: an object, or only its URL. */
export function webhook<Kind extends JobKind>(kind: Kind): z.ZodType<ParsedWebhook, string | Webhook<Kind>> {
  const fullNames = webhookEvents.map((event): `${Kind}.${WebhookEvent}` => `${kind}.${event}`);
  const fields = z.strictObject({
    url: httpUrl,
    headers: webhookHeaders.default({}),
    metadata: metadata.default({}),
    events: list(z.enum([...webhookEvents, ...fullNames]), 100)
      .transform((names) => [...new Set(names.map((name) => name.slice(name.indexOf(".") + 1) as WebhookEvent))])
      .default([...webhookEvents]),
  } satisfies Fields<Webhook<Kind>>);
  return z
    .custom<string | Webhook<Kind>>()
    .transform((given) => (typeof given === "string" ? { url: given } : given))
    .pipe(fields);
}
