/** Wraps a host's telemetry so that it never throws; without one, nothing is reported. */

import { noSpan, type Telemetry, type TelemetrySpan } from "../ports/telemetry.ts";
import { quietly } from "../shared/quietly.ts";
import { shownUrl } from "../shared/without-secrets.ts";

const none: Telemetry = { begin: () => noSpan, count() {} };

export function safeTelemetry(telemetry: Telemetry | undefined): Telemetry {
  if (telemetry === undefined) return none;
  /** The host's span for each of ours. */
  const own = new WeakMap<TelemetrySpan, TelemetrySpan>();

  return {
    begin(name, attributes, parent) {
      const span = quietly(() => {
        const shown =
          typeof attributes["url"] === "string" ? { ...attributes, url: shownUrl(attributes["url"]) } : attributes;
        return telemetry.begin(name, shown, parent && own.get(parent));
      });
      if (span === undefined) return noSpan;
      const safe: TelemetrySpan = {
        set: (more) => void quietly(() => span.set(more)),
        end: (errorCode) => void quietly(() => span.end(errorCode)),
      };
      own.set(safe, span);
      return safe;
    },
    count: (name, value, attributes) => void quietly(() => telemetry.count(name, value, attributes)),
  };
}
