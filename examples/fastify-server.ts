/**
 * The service's paths on Fastify; the service's official clients work with it. `node examples/fastify-server.ts [port]`
 */
import Fastify, { type FastifyInstance } from "fastify";
import { type CallContext, CrawlcoreError, createEngine, type Engine, serviceRoutes } from "../src/index.ts"; // in your program: from "crawlcore"
import { watchJobs } from "./watch-jobs.ts";

/** @param keys the caller for each API key */
export function serve(engine: Engine, keys: ReadonlyMap<string, CallContext>): FastifyInstance {
  // HEAD would do what GET does: documents that may be read once would be gone, and nobody would have them.
  const server = Fastify({ bodyLimit: 10 * 1024 * 1024, exposeHeadRoutes: false });
  // Clients declare application/json even if they send no body.
  const parse = server.getDefaultJsonParser("ignore", "ignore");
  server.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) =>
    text === "" ? done(null, undefined) : parse(request, text, done),
  );
  // POST /v1/scrape, /v1/crawl, /v1/batch/scrape, /v1/search, /v1/map, /v1/extract, and GET and DELETE for their jobs.
  for (const { method, path, answer } of serviceRoutes) {
    server.route<{ Params: { id?: string }; Querystring: Record<string, unknown> }>({
      method,
      url: path,
      async handler({ headers, body, params, query }, reply) {
        const caller = keys.get(headers.authorization?.replace(/^Bearer /, "") ?? "");
        if (!caller) throw Object.assign(new Error("Unauthorized: Invalid token"), { statusCode: 401 });
        // Stops work that nobody is waiting for any more.
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        return answer(engine, { body, id: params.id, query }, { ...caller, signal: gone.signal });
      },
    });
  }
  server.setNotFoundHandler(({ method, url }, reply) =>
    reply.code(404).send({ success: false, error: `There is no ${method} ${url.split("?", 1)[0]}` }),
  );
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const answer = CrawlcoreError.isInstance(error) ? error.toJSON() : { success: false, error: error.message };
    // Clients show the reason of a 500, but not of a 501, which the service does not have.
    return reply.code(error.statusCode === 501 ? 500 : (error.statusCode ?? 500)).send(answer);
  });
  return server;
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2] ?? 3002);
  const engine = createEngine({ publicUrl: `http://127.0.0.1:${port}` });
  const keys = new Map([["demo-key", { team: "demo", apiKey: "demo-key" }]]);
  const server = serve(engine, keys);
  const stopWatches = watchJobs(server.server, engine, keys);
  await server.listen({ port, host: "127.0.0.1" });
  console.log(`listening on http://127.0.0.1:${port}, with the API key demo-key`);
  process.once("SIGTERM", () => {
    server.close().then(() => engine.close());
    stopWatches();
  });
}
