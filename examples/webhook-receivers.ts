/**
 * Receivers of webhooks on node:http, Fastify and Hono: each verifies the signature over the raw body, recognises a
 * repeated event by its id, and answers before any heavy work. `node examples/webhook-receivers.ts` sends itself some.
 */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import Fastify from "fastify";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createEngine, verifyWebhook } from "../src/index.ts"; // in your program: from "crawlcore"
import { startSite } from "./start-site.ts";

const secret = "a long random text that the sender knows too";
/** Events of pages carry the whole document. Until the signature has been verified, they may come from anybody. */
const mostBytes = 16 * 1024 * 1024;

/** Use a queue of your own here; a set in memory shows the idea. */
function inbox(name: string) {
  const seen = new Set<string>();
  return (eventId: string, rawBody: string) => {
    if (seen.has(eventId)) return;
    seen.add(eventId);
    const { type, data } = JSON.parse(rawBody) as { type: string; data: { metadata?: { sourceURL?: string } }[] };
    console.log(name, type, data[0]?.metadata?.sourceURL ?? "");
  };
}

export function nodeReceiver(accept: ReturnType<typeof inbox>): RequestListener {
  return async (request, response) => {
    const raw = await rawBody(request);
    if (raw === undefined) {
      response.writeHead(413, { connection: "close" }).end();
      return;
    }
    if (!verifyWebhook(raw, request.headers["x-service-signature"], secret)) {
      response.writeHead(401).end();
      return;
    }
    accept(String(request.headers["x-service-event-id"]), raw.toString());
    response.writeHead(204).end();
  };
}

/** Undefined if the sender sends too much, or goes away before the end. */
async function rawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

export function fastifyReceiver(accept: ReturnType<typeof inbox>) {
  const server = Fastify({ bodyLimit: mostBytes });
  // The signature is over the raw bytes, so the body must not be parsed before.
  server.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
  server.post("/hook", (request, reply) => {
    const raw = request.body as string;
    if (!verifyWebhook(raw, request.headers["x-service-signature"], secret)) return reply.code(401).send();
    accept(String(request.headers["x-service-event-id"]), raw);
    return reply.code(204).send();
  });
  return server;
}

export function honoReceiver(accept: ReturnType<typeof inbox>) {
  const app = new Hono();
  app.post("/hook", bodyLimit({ maxSize: mostBytes }), async (c) => {
    const raw = await c.req.text();
    if (!verifyWebhook(raw, c.req.header("x-service-signature"), secret)) return c.body(null, 401);
    accept(String(c.req.header("x-service-event-id")), raw);
    return c.body(null, 204);
  });
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const fastify = fastifyReceiver(inbox("fastify"));
  await fastify.ready();
  const receivers: RequestListener[] = [
    nodeReceiver(inbox("node:http")),
    fastify.routing,
    getRequestListener(honoReceiver(inbox("hono")).fetch),
  ];
  const site = await startSite(undefined);
  const engine = createEngine({ network: site.network, webhooks: { secret } });
  for (const receiver of receivers) {
    const server = createServer(receiver);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const forged = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    console.log("without a signature:", forged.status);
    const job = await engine.batchScrape({ urls: [`${site.url}/docs/install/`], webhook: url });
    await job.wait();
    // Deliveries are independent of the job; give the last one a moment before the receiver is closed.
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.closeAllConnections();
    server.close();
  }
  await engine.close();
  await site.close();
}
