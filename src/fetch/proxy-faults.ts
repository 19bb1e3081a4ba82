/** Which errors are a proxy's fault and not the site's: another proxy may do better. */
import type { ScrapeError } from "../errors.ts";

const faults = new WeakSet<object>();

export function asProxyFault(error: ScrapeError): ScrapeError {
  faults.add(error);
  return error;
}

export function isProxyFault(error: unknown): boolean {
  return typeof error === "object" && error !== null && faults.has(error);
}
