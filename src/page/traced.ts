/** Work under a span. */
import { CrawlcoreError } from "../errors.ts";
import type { SpanName, Telemetry, TelemetryAttributes, TelemetrySpan } from "../ports/telemetry.ts";

/** Runs the work; the span ends with it, failed when it rejects. */
export async function traced<Value>(
  telemetry: Telemetry,
  name: SpanName,
  {
    attributes = {},
    parent,
  }: { readonly attributes?: TelemetryAttributes; readonly parent?: TelemetrySpan | undefined },
  work: (span: TelemetrySpan) => Promise<Value>,
): Promise<Value> {
  const span = telemetry.begin(name, attributes, parent);
  try {
    const value = await work(span);
    span.end();
    return value;
  } catch (error) {
    span.end(CrawlcoreError.isInstance(error) ? error.code : "UNKNOWN_ERROR");
    throw error;
  }
}
