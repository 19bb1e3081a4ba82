/** The service's HTTP interface as a table, for servers around an engine: each path, and the call it stands for. */
import type { BatchScrapeRequest } from "./contract/batch-scrape.ts";
import type { CallContext } from "./contract/call-context.ts";
import type { CrawlRequest } from "./contract/crawl.ts";
import type { ExtractRequest } from "./contract/extract.ts";
import type { JobStatus, StatusPage } from "./contract/job.ts";
import type { MapRequest } from "./contract/map.ts";
import type { ScrapeRequest } from "./contract/scrape.ts";
import type { SearchRequest } from "./contract/search.ts";
import type { UsageQuery } from "./contract/usage.ts";
import type { Engine } from "./engine.ts";
import { CrawlcoreError } from "./errors.ts";

type Query = Readonly<Record<string, unknown>>;

/** The parts of a request that a server passes on. They may come from anybody: the engine checks them. */
export interface ServiceRequest {
  /** The body, parsed from JSON. */
  readonly body?: unknown;
  /** The part of the path in the place of `:id`. */
  readonly id?: string | undefined;
  /** The query string: an object of names to values, or `URLSearchParams`. */
  readonly query?: Query | Iterable<readonly [name: string, value: unknown]> | undefined;
}

/** One path of the service. */
export interface ServiceRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** `/v1/crawl/:id`, as most routers write it. Fixed paths come before those with an `:id` in the same place. */
  readonly path: string;
  /**
   * Resolves with the body to send as JSON with status 200; rejects as the engine's call does. `caller` says on whose
   * behalf the engine is called. Its `signal` should fire when the client disconnects; it is not passed to jobs, which
   * outlive the request that starts them.
   */
  answer(engine: Engine, request: ServiceRequest, caller: CallContext): Promise<object>;
}

type Answer = (
  engine: Engine,
  request: { readonly body: unknown; readonly id: string; readonly query: Query },
  caller: CallContext,
) => Promise<object>;

const crawlStatus: Answer = async (engine, { id, query }, caller) =>
  statusBody(await engine.getCrawlStatus(id, partOf(query), caller));
const batchStatus: Answer = async (engine, { id, query }, caller) =>
  statusBody(await engine.getBatchScrapeStatus(id, partOf(query), caller));
const crawlErrors: Answer = (engine, { id }, caller) => engine.getCrawlErrors(id, caller);
const batchErrors: Answer = (engine, { id }, caller) => engine.getBatchScrapeErrors(id, caller);
const cancelCrawl: Answer = (engine, { id }, caller) => engine.cancelCrawl(id, caller);
const cancelBatch: Answer = (engine, { id }, caller) => engine.cancelBatchScrape(id, caller);
const activeCrawls: Answer = (engine, _, caller) => engine.getActiveCrawls(caller);

/** Clients also ask for jobs of one kind under the paths of the other. */
const either =
  (one: Answer, other: Answer): Answer =>
  (engine, request, caller) =>
    one(engine, request, caller).catch((error: unknown) => {
      if (CrawlcoreError.isInstance(error) && error.code === "NOT_FOUND") return other(engine, request, caller);
      throw error;
    });

const answers: Readonly<Record<string, Answer>> = {
  "POST /v1/scrape": (engine, { body }, caller) => engine.scrape(body as ScrapeRequest, caller),
  "POST /v1/search": (engine, { body }, caller) => engine.search(body as SearchRequest, caller),
  "POST /v1/map": (engine, { body }, caller) => engine.map(body as MapRequest, caller),
  "POST /v1/crawl": (engine, { body }, caller) => engine.crawl(body as CrawlRequest, lasting(caller)),
  "POST /v1/batch/scrape": (engine, { body }, caller) =>
    engine.batchScrape(body as BatchScrapeRequest, lasting(caller)),
  "POST /v1/extract": (engine, { body }, caller) => engine.extract(body as ExtractRequest, lasting(caller)),
  "GET /v1/crawl/active": activeCrawls,
  "GET /v1/crawl/ongoing": activeCrawls,
  "GET /v1/crawl/:id": either(crawlStatus, batchStatus),
  "DELETE /v1/crawl/:id": either(cancelCrawl, cancelBatch),
  "GET /v1/crawl/:id/errors": either(crawlErrors, batchErrors),
  // The JavaScript client asks for errors with DELETE.
  "DELETE /v1/crawl/:id/errors": either(crawlErrors, batchErrors),
  "GET /v1/batch/scrape/:id": either(batchStatus, crawlStatus),
  "DELETE /v1/batch/scrape/:id": either(cancelBatch, cancelCrawl),
  "GET /v1/batch/scrape/:id/errors": either(batchErrors, crawlErrors),
  "DELETE /v1/batch/scrape/:id/errors": either(batchErrors, crawlErrors),
  "GET /v1/extract/:id": (engine, { id }, caller) => engine.getExtractStatus(id, caller),
  "GET /v1/team/credit-usage/historical": (engine, { query }, caller) =>
    engine.getCreditUsageHistorical(usageQuery(query), caller),
  "GET /v1/team/token-usage/historical": (engine, { query }, caller) =>
    engine.getTokenUsageHistorical(usageQuery(query), caller),
};

/**
 * Every path of the service that the engine can answer. Authentication and sending errors are up to the server.
 *
 * @example
 * for (const { method, path, answer } of serviceRoutes) {
 *   app.on(method, path, async (c) => {
 *     const body = method === "POST" ? await c.req.json() : undefined;
 *     return c.json(await answer(engine, { body, id: c.req.param("id"), query: c.req.query() }, callerOf(c)));
 *   });
 * }
 */
export const serviceRoutes: readonly ServiceRoute[] = Object.entries(answers).map(([route, answer]) => {
  const [method, path] = route.split(" ") as [ServiceRoute["method"], string];
  return {
    method,
    path,
    answer: async (engine, { body, id = "", query }, caller) =>
      answer(engine, { body, id, query: named(query ?? {}) }, caller),
  };
});

/**
 * `URLSearchParams` have no properties of their own. Taken for an empty query, each part would be answered with the
 * first, and a client that follows `next` would never come to an end.
 */
function named(query: NonNullable<ServiceRequest["query"]>): Query {
  return typeof query === "object" && Symbol.iterator in query ? Object.fromEntries(query) : query;
}

/** Each part is read by its name: those that a class computes, or inherits, are no properties of the object itself. */
function lasting({ team, apiKey, model, signal: _, ...others }: CallContext): CallContext {
  return { ...others, team, apiKey, model };
}

/** Clients expect `success` in a status, and no `next` key if there is no next part. */
function statusBody({ next, ...status }: JobStatus): object {
  return { success: true, ...status, ...(next === null ? {} : { next }) };
}

/**
 * Which part of a job's data is asked for. The values of a query are strings; all of these options are numbers. What is
 * none, such as a space or a list, is left as it is, for the engine to refuse.
 */
function partOf(query: Query): StatusPage {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === "string" && decimal.test(value) ? Number(value) : value,
    ]),
  );
}

const decimal = /^-?\d+(?:\.\d+)?$/;

/**
 * The query of the usage calls. Values other than true and false, and unknown names, are left for the engine to refuse.
 */
function usageQuery(query: Query): UsageQuery {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, truths.get(value) ?? value]));
}

/** The values of a query are strings. */
const truths: ReadonlyMap<unknown, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
