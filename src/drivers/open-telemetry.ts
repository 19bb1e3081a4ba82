/**
 * Spans and counters through OpenTelemetry: `crawlcore/opentelemetry`. Loads nothing by itself: the host passes its API
 * in.
 */
import type { Counter, Span } from "@opentelemetry/api";
import { badRequest } from "../contract/parse.ts";
import type { CounterName, Telemetry, TelemetryAttributes, TelemetrySpan } from "../ports/telemetry.ts";

/** The part of the package `@opentelemetry/api` that is used. */
export type OpenTelemetryApi = Pick<typeof import("@opentelemetry/api"), "trace" | "context" | "metrics">;

/** `SpanStatusCode.ERROR`. */
const failed = 2;

/**
 * A {@link Telemetry} that reports to OpenTelemetry. Spans begin in the active context, so what the engine does for a
 * call is part of the host's own span.
 *
 * @throws RequestError `BAD_REQUEST` for what is not the API
 *
 * @example
 * import * as api from "@opentelemetry/api";
 * import { openTelemetry } from "crawlcore/opentelemetry";
 *
 * const engine = createEngine({ telemetry: openTelemetry(api) });
 */
export function openTelemetry(api: OpenTelemetryApi): Telemetry {
  if (!isApi(api)) {
    const message = "must be the package `@opentelemetry/api`: `import * as api`";
    throw badRequest("options of openTelemetry", [{ path: [], message }]);
  }
  const { trace, context, metrics } = api;
  const tracer = trace.getTracer("crawlcore");
  const meter = metrics.getMeter("crawlcore");
  const counters = new Map<CounterName, Counter>();
  const own = new WeakMap<TelemetrySpan, Span>();

  return {
    begin(name, attributes, parent) {
      const active = context.active();
      const above = parent && own.get(parent);
      const span = tracer.startSpan(
        name,
        { attributes: named(attributes) },
        above ? trace.setSpan(active, above) : active,
      );
      const begun: TelemetrySpan = {
        set: (more) => void span.setAttributes(named(more)),
        end(errorCode) {
          if (errorCode !== undefined) {
            span.setAttribute("error.type", errorCode);
            span.setStatus({ code: failed });
          }
          span.end();
        },
      };
      own.set(begun, span);
      return begun;
    },
    count(name, value, attributes) {
      let counter = counters.get(name);
      if (counter === undefined) {
        counter = meter.createCounter(name);
        counters.set(name, counter);
      }
      counter.add(value, named(attributes));
    },
  };
}

function isApi(api: Partial<OpenTelemetryApi> | null | undefined): boolean {
  const used = [api?.trace?.getTracer, api?.context?.active, api?.metrics?.getMeter];
  return used.every((part) => typeof part === "function");
}

/** Names as is customary in OpenTelemetry; undefined attributes are left out. */
function named(attributes: TelemetryAttributes): Record<string, string | number | boolean> {
  const result: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) result[names[name] ?? `crawlcore.${name}`] = value;
  }
  return result;
}

const names: Readonly<Record<string, string>> = { url: "url.full", statusCode: "http.response.status_code" };
