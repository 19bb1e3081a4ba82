/** Where a job announces itself, and how. */
import { z } from "zod";
import { headers } from "./headers.ts";
import { list } from "./list.ts";
import { httpUrl } from "./url.ts";

/** What can happen to a job. */
export const webhookEvents = ["started", "page", "completed", "failed"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Kinds of jobs, as the names of their events begin. */
export type WebhookKind = "crawl" | "batch_scrape" | "extract";

/** Characters of `metadata` as JSON text. */
export const maxMetadataLength = 65_536;

const metadata = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object",
  )
  .transform((given, context): Record<string, unknown> => {
    const text = asJson(given);
    if (text?.startsWith("{") && text.length <= maxMetadataLength) return JSON.parse(text);
    const message = text?.startsWith("{")
      ? `must have at most ${maxMetadataLength} characters as JSON`
      : "must be JSON";
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

/** The `webhook` of a request: an object, or only its URL. */
export function webhook<Kind extends WebhookKind>(kind: Kind) {
  const fullNames = webhookEvents.map((event) => `${kind}.${event}` as const);
  const fields = z.strictObject({
    /** Endpoint that receives the POST requests; http or https. */
    url: httpUrl,
    /**
     * Headers sent with every delivery. Up to 100.
     * @default {}
     */
    headers: headers.default({}),
    /**
     * Data of your own that comes back in every delivery; any JSON object, up to 65,536 characters.
     * @default {}
     */
    metadata: metadata.default({}),
    /**
     * Which events to deliver; the full names (`crawl.page`) are understood too. An empty list delivers nothing.
     * @default ["started", "page", "completed", "failed"]
     */
    events: list(z.enum([...webhookEvents, ...fullNames]), 100)
      .transform((names) => [...new Set(names.map((name) => name.slice(name.indexOf(".") + 1) as WebhookEvent))])
      .default([...webhookEvents]),
  });
  return z
    .custom<string | z.input<typeof fields>>()
    .transform((given) => (typeof given === "string" ? { url: given } : given))
    .pipe(fields);
}

export type Webhook = z.input<ReturnType<typeof webhook>>;
export type ParsedWebhook = z.output<ReturnType<typeof webhook>>;
