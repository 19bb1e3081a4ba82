/** Translates scrape options into a request to a fetcher. */
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { FetchNeed, FetchRequest } from "../ports/fetcher.ts";
import { detectKind } from "../transform/media-type.ts";
import type { TrackedPage } from "./change-tracking.ts";

const needs: readonly (readonly [FetchNeed, (options: ParsedScrapeOptions) => boolean])[] = [
  ["waitFor", ({ waitFor }) => waitFor > 0],
  ["actions", ({ actions = [] }) => actions.length > 0],
  ["screenshot", (options) => screenshotOf(options) !== undefined],
  ["mobile", ({ mobile }) => mobile],
  ["location", ({ location }) => location !== undefined],
  ["stealth", ({ proxy }) => proxy === "stealth"],
];

export function fetchRequestOf(
  { url, options, team }: Pick<TrackedPage, "url" | "options" | "team">,
  signal: AbortSignal,
): FetchRequest {
  const { headers = {}, location, actions = [] } = options;
  const screenshot = screenshotOf(options);
  return {
    url,
    headers,
    needs: new Set(needs.filter(([, isNeeded]) => isNeeded(options)).map(([need]) => need)),
    signal,
    skipTlsVerification: options.skipTlsVerification,
    blockAds: options.blockAds,
    mobile: options.mobile,
    ...(location === undefined ? {} : { location }),
    timeout: options.timeout,
    waitFor: options.waitFor,
    actions,
    ...(screenshot === undefined ? {} : { screenshot }),
    proxy: proxyTier(options),
    stealthFallback: options.proxy === "auto",
    team,
    isUnwanted: isUnsupportedFile,
  };
}

const isUnsupportedFile: FetchRequest["isUnwanted"] = ({ url, headers, body }) =>
  detectKind(body, headers["content-type"], url) === "unsupported";

/** The tier that is used first. */
export function proxyTier({ proxy }: Pick<ParsedScrapeOptions, "proxy">): FetchRequest["proxy"] {
  return proxy === "stealth" ? "stealth" : "basic";
}

function screenshotOf({ formats }: ParsedScrapeOptions): FetchRequest["screenshot"] {
  const fullPage = formats.includes("screenshot@fullPage");
  return fullPage || formats.includes("screenshot") ? { fullPage } : undefined;
}
