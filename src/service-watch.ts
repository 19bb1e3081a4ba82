/** The messages of the service's WebSocket, `/v1/crawl/:id`, for servers around an engine. */
import { setTimeout as delay } from "node:timers/promises";
import type { CallContext } from "./contract/call-context.ts";
import type { Document } from "./contract/document.ts";
import type { JobStatus } from "./contract/job.ts";
import type { Engine } from "./engine.ts";
import { serviceRoutes } from "./service-routes.ts";

/** What a client that watches a job is told, each as one JSON text. */
export type ServiceMessage =
  /** The first: the job's status with its documents so far, as many as fit into one answer. */
  | { readonly type: "catchup"; readonly data: Readonly<Record<string, unknown>> }
  /** One for every further document, in order. */
  | { readonly type: "document"; readonly data: Document }
  /** The last, if the job has completed. */
  | { readonly type: "done" }
  /** The last, if the job failed or was cancelled. */
  | { readonly type: "error"; readonly error: string };

type Status = Pick<JobStatus, "status" | "data"> & Readonly<Record<string, unknown>>;

const status = serviceRoutes.find(({ method, path }) => method === "GET" && path === "/v1/crawl/:id")!;

/** In milliseconds; the service looks as often. */
const pause = 1000;

/**
 * Follows a crawl or batch scrape: what `crawlUrlAndWatch` and `batchScrapeUrlsAndWatch` of the service's clients ask
 * for. The client gives its API key as the sub-protocol; opening the socket, authentication and sending are up to the
 * server. Only one part of the job's documents is in memory at a time.
 *
 * @param caller on whose behalf; its `signal` should fire when the client disconnects
 * @throws what `getCrawlStatus` throws: {@link CrawlcoreError} `NOT_FOUND`, for example
 *
 * @example
 * for await (const message of watchService(engine, id, caller)) socket.send(JSON.stringify(message));
 * socket.close(1000, "{}"); // clients read the reason as JSON
 */
export async function* watchService(
  engine: Engine,
  id: string,
  caller: CallContext = {},
): AsyncGenerator<ServiceMessage, void, undefined> {
  const partFrom = async (skip: number) => (await status.answer(engine, { id, query: { skip } }, caller)) as Status;
  let part = await partFrom(0);
  yield { type: "catchup", data: part };
  let seen = part.data.length;
  while (part.status === "scraping" || "next" in part) {
    if (part.status === "scraping") await untilNextLook(caller.signal);
    part = await partFrom(seen);
    for (const document of part.data) yield { type: "document", data: document };
    seen += part.data.length;
  }
  yield part.status === "completed" ? { type: "done" } : { type: "error", error: `The job has ${states[part.status]}` };
}

const states = { failed: "failed", cancelled: "been cancelled" } as const;

/** @throws the signal's reason, once that fires */
async function untilNextLook(signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(pause, undefined, { signal });
  } catch {
    throw signal?.reason;
  }
}
