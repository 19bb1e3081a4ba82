/** Spans and counters, through the port and through OpenTelemetry; and a logger that no secret reaches. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as api from "@opentelemetry/api";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTelemetry } from "../src/drivers/open-telemetry.ts";
import type { Logger, Telemetry, TelemetryAttributes, TelemetrySpan } from "../src/index.ts";
import { withoutSecrets } from "../src/shared/without-secrets.ts";
import { fakeModel } from "../src/testing/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { engineFor, page, site } from "./start-engine.ts";

interface Recorded {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly parent: Recorded | undefined;
  ended?: { readonly error: string | undefined };
}

/** Keeps everything, as a host's own telemetry might. */
function recorder() {
  const spans: Recorded[] = [];
  const own = new Map<TelemetrySpan, Recorded>();
  const counts = new Map<string, number>();
  const telemetry: Telemetry = {
    begin(name, attributes, parent) {
      const recorded: Recorded = { name, attributes: { ...attributes }, parent: parent && own.get(parent) };
      const span: TelemetrySpan = {
        set: (more: TelemetryAttributes) => void Object.assign(recorded.attributes, more),
        end: (error) => {
          recorded.ended = { error };
        },
      };
      spans.push(recorded);
      own.set(span, recorded);
      return span;
    },
    count(name, value, attributes) {
      const key = `${name} ${Object.values(attributes).join(" ")}`;
      counts.set(key, (counts.get(key) ?? 0) + value);
    },
  };
  const named = (name: string) => spans.filter((span) => span.name === `crawlcore.${name}`);
  return { telemetry, spans, counts, named };
}

describe("spans and counters", () => {
  test("a job holds its pages, a page its fetch and transform", async () => {
    const { url } = await site({ "/": page("home", ["/a"]), "/a": page("a") });
    const { telemetry, spans, counts, named } = recorder();
    const engine = engineFor({ telemetry, events: { emit() {} } });
    const job = await engine.crawl({ url: `${url}/?token=geheim` }, { team: "a" });
    await job.wait();
    await vi.waitFor(() => expect(counts.get("crawlcore.deliveries events.0 delivered")).toBe(4), { timeout: 20_000 });
    expect(named("job")).toMatchObject([{ attributes: { kind: "crawl", team: "a", jobId: job.id } }]);
    expect(named("page").map(({ attributes }) => attributes["url"])).toEqual([`${url}/`, `${url}/a`]);
    expect(named("page").every(({ parent }) => parent === named("job")[0])).toBe(true);
    for (const part of ["fetch", "transform"]) expect(named(part).map(({ parent }) => parent)).toEqual(named("page"));
    expect(named("page")[0]?.attributes).toMatchObject({ statusCode: 200, engine: "http" });
    expect(named("delivery")).toHaveLength(4);
    expect(spans.every(({ ended }) => ended !== undefined && ended.error === undefined)).toBe(true);
    expect(Object.fromEntries(counts)).toMatchObject({
      "crawlcore.pages crawl succeeded": 2,
      "crawlcore.credits crawl": 2,
      "crawlcore.jobs crawl completed": 1,
    });
    expect(JSON.stringify(spans)).not.toContain("geheim");
  });

  test("a page that turns out to be another one is not counted again", async () => {
    const to = { status: 302, headers: { location: "/c" }, body: "" };
    const { url } = await site({ "/": page("home", ["/a", "/b"]), "/a": to, "/b": to, "/c": page("c") });
    const { telemetry, counts } = recorder();
    const job = await engineFor({ telemetry }).crawl({ url });
    expect((await job.wait()).completed).toBe(2);
    expect(counts.get("crawlcore.pages crawl succeeded")).toBe(2);
    expect(counts.get("crawlcore.credits crawl")).toBe(2);
  });

  test("calls of a model, failures, and nothing of a URL under zero data retention", async () => {
    const { url } = await site({ "/": page("home") });
    const { telemetry, counts, named } = recorder();
    const model = fakeModel(() => ({ title: "home" }));
    const engine = engineFor({ telemetry, model });
    await engine.scrape({ url, formats: ["json"], jsonOptions: { prompt: "the title" } });
    expect(named("model")).toMatchObject([{ parent: { name: "crawlcore.page" }, ended: { error: undefined } }]);
    expect(counts.get("crawlcore.credits scrape")).toBe(5);
    await engine.scrape({ url, zeroDataRetention: true });
    expect(named("page").at(-1)?.attributes["url"]).toBeUndefined();
    await expect(engine.scrape({ url: "http://127.0.0.1:1/" })).rejects.toThrow();
    expect(named("page").at(-1)?.ended?.error).toBe("SCRAPE_SITE_ERROR");
    expect(named("fetch").at(-1)?.ended?.error).toBe("SCRAPE_SITE_ERROR");
  });

  test("telemetry and a logger that throw do no harm", async () => {
    const { url } = await site({ "/": page("home") });
    const broken = () => {
      throw new Error("broken");
    };
    const engine = engineFor({
      telemetry: { begin: broken, count: broken },
      logger: { debug: broken, info: broken, warn: broken, error: broken },
      events: { emit: broken },
    });
    expect((await (await engine.crawl({ url })).wait()).status).toBe("completed");
  });
});

test("OpenTelemetry gets spans in the host's context, and counters", async () => {
  const spans: { name: string; attributes: object; parent: string | undefined; status?: object; ended: boolean }[] = [];
  const counts = new Map<string, number>();
  let ids = 0;
  api.trace.setGlobalTracerProvider({
    getTracer: () =>
      ({
        startSpan(name: string, options: api.SpanOptions, context: api.Context) {
          const id = String(++ids).padStart(16, "0");
          const parent = api.trace.getSpanContext(context)?.spanId;
          const span = { name, attributes: { ...options.attributes, id }, parent, ended: false };
          spans.push(span);
          return {
            spanContext: () => ({ traceId: "0".repeat(31).concat("1"), spanId: id, traceFlags: 1 }),
            setAttribute: (key: string, value: unknown) => Object.assign(span.attributes, { [key]: value }),
            setAttributes: (more: object) => Object.assign(span.attributes, more),
            setStatus: (status: object) => Object.assign(span, { status }),
            end: () => Object.assign(span, { ended: true }),
          };
        },
      }) as unknown as api.Tracer,
  });
  api.metrics.setGlobalMeterProvider({
    getMeter: () =>
      ({
        createCounter: (name: string) => ({
          add: (value: number) => void counts.set(name, (counts.get(name) ?? 0) + value),
        }),
      }) as unknown as api.Meter,
  });
  onTestFinished(() => {
    api.trace.disable();
    api.metrics.disable();
  });
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ telemetry: openTelemetry(api) });
  await engine.scrape({ url });
  await expect(engine.scrape({ url: "http://127.0.0.1:1/" })).rejects.toThrow();
  expect(spans.map(({ name }) => name)).toEqual([
    ...["crawlcore.page", "crawlcore.fetch", "crawlcore.transform"],
    ...["crawlcore.page", "crawlcore.fetch"],
  ]);
  expect(spans[0]?.attributes).toMatchObject({ "url.full": `${url}/`, "http.response.status_code": 200 });
  expect(spans[0]?.attributes).toMatchObject({ "crawlcore.team": "default" });
  expect(spans[1]?.parent).toBe((spans[0]!.attributes as { id?: string }).id);
  expect(spans.every(({ ended }) => ended)).toBe(true);
  expect(spans.at(-1)).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "SCRAPE_SITE_ERROR" } });
  expect(Object.fromEntries(counts)).toEqual({ "crawlcore.credits": 1 });
});

test("nothing of OpenTelemetry is loaded or asked for but by its own driver, and there only its types", async () => {
  const source = join(import.meta.dirname, "../src");
  const naming: string[] = [];
  for (const name of await readdir(source, { recursive: true })) {
    if (!name.endsWith(".ts")) continue;
    const code = (await readFile(join(source, name), "utf8")).replace(/\/\*[\s\S]*?\*\//g, "");
    if (code.includes("@opentelemetry")) naming.push(name);
    expect(code, name).not.toMatch(/^import (?!type).*@opentelemetry/m);
  }
  expect(naming).toEqual([join("drivers", "open-telemetry.ts")]);
});

describe("a logger", () => {
  test.each([
    ["GET https://user:pa55@host.test/x failed", "GET https://[redacted]@host.test/x failed"],
    ["http://proxy:p@ss@10.0.0.1:80", "http://[redacted]@10.0.0.1:80"],
    ["Authorization: Bearer abc.def-ghi", "Authorization: [redacted]"],
    ["sent Bearer abc.def-ghi to it", "sent Bearer [redacted] to it"],
    ['{"cookie":"a=1; b=2","x":1}', '{"cookie":"[redacted]","x":1}'],
    ["Set-Cookie: sid=4; Path=/\nnext", "Set-Cookie: [redacted]\nnext"],
    ["?api_key=k1&x=2", "?api_key=[redacted]&x=2"],
    ["X-Service-Signature: sha256=00ff", "X-Service-Signature: [redacted]"],
    ["digest sha256=00ff", "digest sha256=[redacted]"],
    ["token=abc, password: def", "token=[redacted], password: [redacted]"],
    ['{"password":"correct horse","x":1}', '{"password":"[redacted]","x":1}'],
    ["token: 'it is \"odd\"' was refused", "token: '[redacted]' was refused"],
    [
      'said "{\\"cookie\\":\\"a=1; b=2\\",\\"secret\\":\\"c d\\"}"',
      'said "{\\"cookie\\":\\"[redacted]",\\"secret\\":\\"[redacted]"}"',
    ],
    ["nothing to hide at https://host.test/a?b=c", "nothing to hide at https://host.test/a?b=c"],
  ])("%s", (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  test("takes linear time on hostile text", () => {
    const started = cpuTime();
    for (const part of [
      "//a",
      "bearer ",
      "token:",
      "cookie=",
      "a-",
      "//",
      "password ",
      "sha256=",
      'key="a',
      "token:\\\\",
    ]) {
      withoutSecrets(part.repeat(50_000));
    }
    expect(cpuTime() - started).toBeLessThan(5000);
  });

  test("is silent by default, and gets no secret of headers, webhooks, proxies or sinks", async () => {
    const { url } = await site({ "/": page("home") });
    const lines: string[] = [];
    const write = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const logger: Logger = { debug: write, info: write, warn: write, error: write };
    const engine = engineFor({
      logger,
      webhooks: { secret: "hunter2-webhook", retryDelays: [] },
      events: {
        emit() {
          throw new Error("refused with hunter2-webhook; Authorization: Bearer hunter2-token for //me:hunter2-pw@db");
        },
      },
    });
    const job = await engine.batchScrape({
      urls: [url.replace("//", "//name:hunter2-url@"), "http://name:hunter2-dead@127.0.0.1:1/"],
      headers: { authorization: "Bearer hunter2-auth", cookie: "sid=hunter2-cookie" },
      webhook: { url: "http://name:hunter2-hook@127.0.0.1:1/", headers: { authorization: "hunter2-header" } },
    });
    await job.wait();
    await vi.waitFor(() => expect(lines.filter((line) => line.includes("delivery failed")).length).toBeGreaterThan(1), {
      timeout: 20_000,
    });
    expect(lines.join("\n")).not.toContain("hunter2");
    expect(lines.join("\n")).toContain("[redacted]");
  });
});
