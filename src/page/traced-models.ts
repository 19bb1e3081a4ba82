import type { ModelCalls } from "../model/model-calls.ts";
import type { Telemetry, TelemetrySpan } from "../ports/telemetry.ts";
import { traced } from "./traced.ts";

/** The same calls of models, each within a span. */
export function tracedModels(calls: ModelCalls, telemetry: Telemetry, parent?: TelemetrySpan): ModelCalls {
  const under = <Value>(work: () => Promise<Value>) => traced(telemetry, "crawlcore.model", { parent }, work);
  return {
    limits: calls.limits,
    ask: (call, schema) => under(() => calls.ask(call, schema)),
    askForText: (call) => under(() => calls.askForText(call)),
  };
}
