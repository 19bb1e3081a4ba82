import { CrawlcoreError } from "../errors.ts";
import {
  noSpan,
  type SpanName,
  type Telemetry,
  type TelemetryAttributes,
  type TelemetrySpan,
} from "../ports/telemetry.ts";

/** Runs the work within a span, which ends with it: as failed if the work rejects. */
export function traced<Value>(
  telemetry: Telemetry,
  name: SpanName,
  {
    attributes = {},
    parent,
  }: { readonly attributes?: TelemetryAttributes; readonly parent?: TelemetrySpan | undefined },
  work: (span: TelemetrySpan) => Promise<Value>,
): Promise<Value> {
  const span = telemetry.begin(name, attributes, parent);
  return span === noSpan ? work(span) : ended(span, work);
}

async function ended<Value>(span: TelemetrySpan, work: (span: TelemetrySpan) => Promise<Value>): Promise<Value> {
  try {
    const value = await work(span);
    span.end();
    return value;
  } catch (error) {
    span.end(CrawlcoreError.isInstance(error) ? error.code : "UNKNOWN_ERROR");
    throw error;
  }
}
