/** The service's paths on Hono; the service's official clients work with it. `node examples/hono-server.ts [port]` */
import type { Server } from "node:http";
import { serve as listen } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { type CallContext, CrawlcoreError, createEngine, type Engine, serviceRoutes } from "../src/index.ts"; // in your program: from "crawlcore"
import { watchJobs } from "./watch-jobs.ts";

/** @param keys the caller for each API key */
export function serve(engine: Engine, keys: ReadonlyMap<string, CallContext>): Hono {
  const app = new Hono();
  const tooLarge = () => {
    throw new HTTPException(413, { message: "Request body is too large" });
  };
  app.use(bodyLimit({ maxSize: 10 * 1024 * 1024, onError: tooLarge }));
  // HEAD would do what GET does: documents that may be read once would be gone, and nobody would have them.
  app.use(async ({ req, notFound }, next) => (req.method === "HEAD" ? notFound() : next()));
  // POST /v1/scrape, /v1/crawl, /v1/batch/scrape, /v1/search, /v1/map, /v1/extract, and GET and DELETE for their jobs.
  for (const { method, path, answer } of serviceRoutes) {
    app.on(method, path, async ({ req, json }) => {
      const caller = keys.get(req.header("authorization")?.replace(/^Bearer /, "") ?? "");
      if (!caller) throw new HTTPException(401, { message: "Unauthorized: Invalid token" });
      const body: unknown = method === "POST" ? await req.json() : undefined;
      // Stops work that nobody is waiting for any more.
      const context = { ...caller, signal: req.raw.signal };
      return json(await answer(engine, { body, id: req.param("id"), query: req.query() }, context));
    });
  }
  app.notFound(({ req, json }) => json({ success: false, error: `There is no ${req.method} ${req.path}` }, 404));
  app.onError((error, { json }) => {
    // Clients show the reason of a 500, but not of a 501, which the service does not have.
    if (CrawlcoreError.isInstance(error)) {
      return json(error.toJSON(), error.statusCode === 501 ? 500 : (error.statusCode as 500));
    }
    const status = error instanceof HTTPException ? error.status : error instanceof SyntaxError ? 400 : 500;
    return json({ success: false, error: error.message }, status);
  });
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2] ?? 3002);
  const engine = createEngine({ publicUrl: `http://127.0.0.1:${port}` });
  const keys = new Map([["demo-key", { team: "demo", apiKey: "demo-key" }]]);
  const app = serve(engine, keys);
  const server = listen({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
    console.log(`listening on http://127.0.0.1:${port}, with the API key demo-key`),
  );
  const stopWatches = watchJobs(server as Server, engine, keys);
  process.once("SIGTERM", () => {
    server.close(() => engine.close());
    stopWatches();
  });
}
