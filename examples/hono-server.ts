/** The service's paths on Hono; its official clients work with it. `node examples/hono-server.ts [port]` */
import { serve as listen } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { type CallContext, CrawlcoreError, createEngine, type Engine, type JobStatus } from "../src/index.ts"; // in your program: from "crawlcore"

/** Clients want `success` in a status, and no `next` where there is none. */
const shown = ({ next, ...status }: JobStatus) => ({ success: true, ...status, ...(next === null ? {} : { next }) });

/** `keys`: who calls with which API key. */
export function serve(engine: Engine, keys: ReadonlyMap<string, CallContext>): Hono {
  const app = new Hono();
  const caller = (c: Context): CallContext => {
    const context = keys.get(c.req.header("authorization")?.replace(/^Bearer /, "") ?? "");
    if (context === undefined) throw new HTTPException(401, { message: "Unauthorized: Invalid token" });
    return context;
  };
  /** Work that nobody waits for any more is stopped. Not for jobs: they outlive the request that starts them. */
  const present = (c: Context): CallContext => ({ ...caller(c), signal: c.req.raw.signal });
  const body = async (c: Context) => (await c.req.json()) as never;
  const id = (c: Context) => c.req.param("id") ?? "";
  const page = (c: Context) =>
    Object.fromEntries(Object.entries(c.req.query()).map(([name, value]) => [name, Number(value)]));
  const byApiKey = (c: Context) => ({ byApiKey: c.req.query("byApiKey") === "true" });

  app.post("/v1/scrape", async (c) => c.json(await engine.scrape(await body(c), present(c))));
  app.post("/v1/search", async (c) => c.json(await engine.search(await body(c), present(c))));
  app.post("/v1/map", async (c) => c.json(await engine.map(await body(c), present(c))));
  app.post("/v1/crawl", async (c) => c.json(await engine.crawl(await body(c), caller(c))));
  app.post("/v1/batch/scrape", async (c) => c.json(await engine.batchScrape(await body(c), caller(c))));
  app.post("/v1/extract", async (c) => c.json(await engine.extract(await body(c), caller(c))));
  app.get("/v1/crawl/active", async (c) => c.json(await engine.getActiveCrawls(caller(c))));
  app.get("/v1/extract/:id", async (c) => c.json(await engine.getExtractStatus(id(c), caller(c))));
  app.get("/v1/batch/scrape/:id", async (c) =>
    c.json(shown(await engine.getBatchScrapeStatus(id(c), page(c), caller(c)))),
  );
  // The JavaScript client asks for batches here too, and for errors with DELETE.
  app.get("/v1/crawl/:id", async (c) => {
    const asked = [id(c), page(c), caller(c)] as const;
    return c.json(shown(await engine.getCrawlStatus(...asked).catch(() => engine.getBatchScrapeStatus(...asked))));
  });
  app.on(["GET", "DELETE"], "/v1/crawl/:id/errors", async (c) => c.json(await engine.getCrawlErrors(id(c), caller(c))));
  app.on(["GET", "DELETE"], "/v1/batch/scrape/:id/errors", async (c) =>
    c.json(await engine.getBatchScrapeErrors(id(c), caller(c))),
  );
  app.delete("/v1/crawl/:id", async (c) => c.json(await engine.cancelCrawl(id(c), caller(c))));
  app.delete("/v1/batch/scrape/:id", async (c) => c.json(await engine.cancelBatchScrape(id(c), caller(c))));
  app.get("/v1/team/credit-usage/historical", async (c) =>
    c.json(await engine.getCreditUsageHistorical(byApiKey(c), caller(c))),
  );
  app.get("/v1/team/token-usage/historical", async (c) =>
    c.json(await engine.getTokenUsageHistorical(byApiKey(c), caller(c))),
  );
  app.onError((error, c) => {
    if (CrawlcoreError.isInstance(error)) return c.json(error.toJSON(), error.statusCode as 500);
    return c.json({ success: false, error: error.message }, error instanceof HTTPException ? error.status : 500);
  });
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2] ?? 3002);
  const engine = createEngine({ publicUrl: `http://127.0.0.1:${port}` });
  const app = serve(engine, new Map([["demo-key", { team: "demo", apiKey: "demo-key" }]]));
  const server = listen({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
    console.log(`listening on http://127.0.0.1:${port}, with the API key demo-key`),
  );
  process.once("SIGTERM", () => server.close(() => engine.close()));
}
