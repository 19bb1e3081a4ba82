/** What scrape options ask of a fetcher. */
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { FetchNeed, FetchRequest } from "../ports/fetcher.ts";

const needs: readonly (readonly [FetchNeed, (options: ParsedScrapeOptions) => boolean])[] = [
  ["waitFor", ({ waitFor }) => waitFor > 0],
  ["actions", ({ actions = [] }) => actions.length > 0],
  ["screenshot", ({ formats }) => formats.includes("screenshot") || formats.includes("screenshot@fullPage")],
  ["mobile", ({ mobile }) => mobile],
  ["location", ({ location }) => location !== undefined],
  ["stealth", ({ proxy }) => proxy === "stealth"],
];

/** A page as `scrape-page` is asked for it. */
interface RequestedPage {
  readonly url: string;
  readonly options: ParsedScrapeOptions;
  readonly team: string;
}

export function fetchRequestOf({ url, options, team }: RequestedPage, signal: AbortSignal): FetchRequest {
  const { formats, headers = {}, location, actions = [] } = options;
  return {
    url,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    needs: new Set(needs.filter(([, isNeeded]) => isNeeded(options)).map(([need]) => need)),
    signal,
    skipTlsVerification: options.skipTlsVerification,
    blockAds: options.blockAds,
    mobile: options.mobile,
    ...(location === undefined ? {} : { location }),
    timeout: options.timeout,
    waitFor: options.waitFor,
    actions,
    ...(formats.includes("screenshot") || formats.includes("screenshot@fullPage")
      ? { screenshot: { fullPage: formats.includes("screenshot@fullPage") } }
      : {}),
    proxy: options.proxy === "stealth" ? "stealth" : "basic",
    stealthFallback: options.proxy === "auto",
    team,
  };
}
