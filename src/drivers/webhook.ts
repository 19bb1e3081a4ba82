/** Sends events to the webhooks that requests name. */

import type { ParsedWebhook } from "../contract/webhook.ts";
import type { JobEvent } from "../ports/event-sink.ts";
import type { HttpClient } from "../ports/http-client.ts";
import { readRetryAfter } from "../shared/retry-after.ts";
import { signWebhook } from "./webhook-signature.ts";

interface WebhookSenderOptions {
  readonly client: HttpClient;
  readonly secret: string | ((team: string) => string | undefined | Promise<string | undefined>) | undefined;
  readonly signatureHeader: string;
  readonly retryDelays: readonly number[];
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** An answer other than 2xx. */
class Refused extends Error {
  readonly retryAfterMs: number | undefined;
  constructor(statusCode: number, retryAfterMs: number | undefined) {
    super(`The receiver answered ${statusCode}`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The longest time that a receiver may ask for with `Retry-After`. */
const longestRetryAfterMs = 60 * 60 * 1000;
/**
 * How much of a receiver's answer is read, so that its connection can serve the next delivery: bytes and milliseconds.
 */
const maxAnswerBytes = 64 * 1024;
const longestAnswerMs = 1000;

/**
 * A target of the outbox: `payload` contains URL, headers and event, and the page's document goes into `data`. The body
 * is identical in every attempt, and so is its signature. Redirects are not followed, and the client's guard refuses
 * private addresses.
 */
export function webhookSender(options: WebhookSenderOptions) {
  const { client, secret } = options;
  return {
    timeoutMs: options.timeoutMs,
    retriedForMs: 24 * 60 * 60 * 1000,

    async deliver(
      item: { readonly payload: string; readonly document: string | null; readonly team: string },
      signal: AbortSignal,
    ): Promise<void> {
      const { url, headers, event } = JSON.parse(item.payload) as Pick<ParsedWebhook, "url" | "headers"> & {
        event: JobEvent;
      };
      const body = bodyOf(event, item.document);
      const key = readSecret(typeof secret === "function" ? await secret(item.team) : secret);
      const answer = await client.stream({
        url,
        method: "POST",
        headers: {
          "user-agent": options.userAgent,
          "content-type": "application/json",
          ...headers,
          "x-service-event-id": event.id,
          ...(key === undefined ? {} : { [options.signatureHeader]: signWebhook(body, key) }),
        },
        body,
        // The receiver recognises a repeated event by its id.
        repeatable: true,
        maxRedirects: 0,
        maxBodyBytes: maxAnswerBytes,
        signal,
      });
      await passOver(answer.body);
      if (answer.statusCode > 299) {
        throw new Refused(answer.statusCode, readRetryAfter(answer.headers["retry-after"], Date.now()));
      }
    },

    /** The delay of the schedule, varied by a tenth, or what the receiver asks for if that is longer. */
    retryDelay(attempts: number, error: unknown): number | null {
      const delay = options.retryDelays[attempts - 1];
      if (delay === undefined) return null;
      const asked = error instanceof Refused ? (error.retryAfterMs ?? 0) : 0;
      return Math.max(delay * (0.9 + Math.random() / 5), Math.min(asked, longestRetryAfterMs));
    },
  };
}

/** What the host gave, or its function; null is what many stores have for none. */
function readSecret(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" && given !== "") return given;
  throw new TypeError("webhooks.secret must give a text, or undefined for deliveries without a signature");
}

function bodyOf(event: JobEvent, document: string | null): string {
  const { success, type, jobId, data, metadata, error } = event;
  const shown = document === null ? JSON.stringify(data) : `[${document}]`;
  const rest = error === undefined ? "" : `,"error":${JSON.stringify(error)}`;
  return `{"success":${success},"type":"${type}","id":"${jobId}","data":${shown},"metadata":${JSON.stringify(metadata)}${rest}}`;
}

/** Only the status matters: a body that is large, broken or never ends changes nothing. */
async function passOver(body: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const patience = setTimeout(() => void chunks.return?.(), longestAnswerMs);
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // The connection is closed, and nothing else happens.
  } finally {
    clearTimeout(patience);
  }
}
