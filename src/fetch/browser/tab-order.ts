/** What kind of tab a request needs, and what its page may load. */
import type { BrowserContextOptions } from "playwright";
import type { FetchRequest } from "../../ports/fetcher.ts";
import type { TrafficRules } from "./page-traffic.ts";
import type { TabOrder } from "./tabs.ts";

export const desktopViewport = { width: 1280, height: 800 };

export function orderOf(
  request: FetchRequest,
  limits: { readonly maxRedirects: number; readonly maxBodyBytes: number },
): { order: TabOrder; rules: TrafficRules } {
  const { "user-agent": userAgent, ...headers } = request.headers;
  const pictured =
    request.screenshot !== undefined || request.actions.some(({ type }) => type === "screenshot" || type === "pdf");
  const context: BrowserContextOptions = {
    acceptDownloads: false,
    viewport: desktopViewport,
    ignoreHTTPSErrors: request.skipTlsVerification,
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  // What a caller sends or does may leave traces that no cleaning finds: such a tab serves once.
  const isPlain = Object.keys(request.headers).length === 0 && request.actions.length === 0;
  return {
    order: {
      key: isPlain ? JSON.stringify([request.team, context]) : undefined,
      context,
    },
    rules: {
      headers,
      origin: new URL(request.url).origin,
      ...limits,
      textOnly: !pictured,
      blockedUrls: [],
      showFiles: pictured || request.actions.length > 0,
    },
  };
}
