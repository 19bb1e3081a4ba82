/** The service's paths on Fastify; its official clients work with it. `node examples/fastify-server.ts [port]` */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type CallContext, CrawlcoreError, createEngine, type Engine, type JobStatus } from "../src/index.ts"; // in your program: from "crawlcore"

/** Clients want `success` in a status, and no `next` where there is none. */
const shown = ({ next, ...status }: JobStatus) => ({ success: true, ...status, ...(next === null ? {} : { next }) });

/** `keys`: who calls with which API key. */
export function serve(engine: Engine, keys: ReadonlyMap<string, CallContext>): FastifyInstance {
  const server = Fastify({ bodyLimit: 10 * 1024 * 1024 });
  // Clients say application/json also where they send no body.
  const parse = server.getDefaultJsonParser("ignore", "ignore");
  server.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) =>
    text === "" ? done(null, undefined) : parse(request, text, done),
  );
  const caller = ({ headers }: FastifyRequest): CallContext => {
    const context = keys.get(headers.authorization?.replace(/^Bearer /, "") ?? "");
    if (context === undefined) throw Object.assign(new Error("Unauthorized: Invalid token"), { statusCode: 401 });
    return context;
  };
  /** Work that nobody waits for any more is stopped. Not for jobs: they outlive the request that starts them. */
  const present = (request: FastifyRequest, reply: FastifyReply): CallContext => {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    return { ...caller(request), signal: gone.signal };
  };
  const body = (request: FastifyRequest) => request.body as never;
  const id = (request: FastifyRequest) => (request.params as { id: string }).id;
  const page = (request: FastifyRequest) =>
    Object.fromEntries(Object.entries(request.query as object).map(([name, value]) => [name, Number(value)]));
  const byApiKey = (request: FastifyRequest) => ({
    byApiKey: (request.query as { byApiKey?: string }).byApiKey === "true",
  });

  server.post("/v1/scrape", (request, reply) => engine.scrape(body(request), present(request, reply)));
  server.post("/v1/search", (request, reply) => engine.search(body(request), present(request, reply)));
  server.post("/v1/map", (request, reply) => engine.map(body(request), present(request, reply)));
  server.post("/v1/crawl", (request) => engine.crawl(body(request), caller(request)));
  server.post("/v1/batch/scrape", (request) => engine.batchScrape(body(request), caller(request)));
  server.post("/v1/extract", (request) => engine.extract(body(request), caller(request)));
  server.get("/v1/crawl/active", (request) => engine.getActiveCrawls(caller(request)));
  server.get("/v1/extract/:id", (request) => engine.getExtractStatus(id(request), caller(request)));
  server.get("/v1/batch/scrape/:id", async (request) =>
    shown(await engine.getBatchScrapeStatus(id(request), page(request), caller(request))),
  );
  // The JavaScript client asks for batches here too, and for errors with DELETE.
  server.get("/v1/crawl/:id", async (request) => {
    const asked = [id(request), page(request), caller(request)] as const;
    return shown(await engine.getCrawlStatus(...asked).catch(() => engine.getBatchScrapeStatus(...asked)));
  });
  const method = ["GET", "DELETE"];
  server.route({
    method,
    url: "/v1/crawl/:id/errors",
    handler: (request) => engine.getCrawlErrors(id(request), caller(request)),
  });
  server.route({
    method,
    url: "/v1/batch/scrape/:id/errors",
    handler: (request) => engine.getBatchScrapeErrors(id(request), caller(request)),
  });
  server.delete("/v1/crawl/:id", (request) => engine.cancelCrawl(id(request), caller(request)));
  server.delete("/v1/batch/scrape/:id", (request) => engine.cancelBatchScrape(id(request), caller(request)));
  server.get("/v1/team/credit-usage/historical", (request) =>
    engine.getCreditUsageHistorical(byApiKey(request), caller(request)),
  );
  server.get("/v1/team/token-usage/historical", (request) =>
    engine.getTokenUsageHistorical(byApiKey(request), caller(request)),
  );
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const answer = CrawlcoreError.isInstance(error) ? error.toJSON() : { success: false, error: error.message };
    return reply.code(error.statusCode ?? 500).send(answer);
  });
  return server;
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2] ?? 3002);
  const engine = createEngine({ publicUrl: `http://127.0.0.1:${port}` });
  const server = serve(engine, new Map([["demo-key", { team: "demo", apiKey: "demo-key" }]]));
  await server.listen({ port, host: "127.0.0.1" });
  console.log(`listening on http://127.0.0.1:${port}, with the API key demo-key`);
  process.once("SIGTERM", () => server.close().then(() => engine.close()));
}
