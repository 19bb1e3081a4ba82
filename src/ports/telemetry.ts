/**
 * Receives spans and counters: how long things take, and how often they happen. Nothing is reported by default.
 *
 * Contract
 * - Both methods are called often and must be quick. If one throws, the engine continues.
 * - Attributes hold no content of pages and no secrets; URLs come without credentials and query, and not at all under
 *   zero data retention.
 */
export interface Telemetry {
  /** Begins a span, as a child of `parent` if there is one. */
  begin(name: SpanName, attributes: TelemetryAttributes, parent?: TelemetrySpan): TelemetrySpan;
  count(name: CounterName, value: number, attributes: TelemetryAttributes): void;
}

/** Something that takes time, from `begin` to `end`. */
export interface TelemetrySpan {
  set(attributes: TelemetryAttributes): void;
  /** Called once. With an `errorCode`, it failed. */
  end(errorCode?: string): void;
}

/** For work that is not reported. */
export const noSpan: TelemetrySpan = { set() {}, end() {} };

/**
 * - `crawlcore.job`: a job, for as long as this process works on it
 * - `crawlcore.page`: one page, in a job or a single call; `fetch`, `transform` and `model` are its children
 * - `crawlcore.delivery`: one attempt to hand an event or a charge to its receiver
 */
export type SpanName = `crawlcore.${"job" | "page" | "fetch" | "transform" | "model" | "delivery"}`;

/** Jobs that ended, pages by outcome, deliveries by outcome, credits and tokens charged. */
export type CounterName = `crawlcore.${"jobs" | "pages" | "deliveries" | "credits" | "tokens"}`;

/** The attributes of a span or a count, by name. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean | undefined>>;
