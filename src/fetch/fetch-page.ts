/** Fetches one page with the first fetcher that can do what it needs, and with the next where that one cannot. */
import { RequestError, ScrapeError } from "../errors.ts";
import type { Fetcher, FetchNeed, FetchRequest, FetchResponse } from "../ports/fetcher.ts";
import { judgeError, judgeResponse } from "./verdict.ts";

/** What a host configures to get a fetcher for a need. */
const remedy: Readonly<Record<FetchNeed, string>> = {
  render: "a browser (the engine's option `browser`)",
  waitFor: "a browser (the engine's option `browser`)",
  actions: "a browser (the engine's option `browser`)",
  screenshot: "a browser (the engine's option `browser`)",
  mobile: "a browser (the engine's option `browser`)",
  location: "a browser (the engine's option `browser`), or proxies by country (`proxies`)",
  stealth: "stealth proxies (the engine's option `proxies`)",
};

/** An answer, which fetcher brought it, and why that one. */
export interface FetchedPage extends FetchResponse {
  readonly engine: string;
  readonly engineReason: string;
}

export type FetchPage = (request: FetchRequest) => Promise<FetchedPage>;

/**
 * Tries the able fetchers in order, all under the one deadline of `request.signal`.
 *
 * Rejects with `UNSUPPORTED` when no fetcher can do what is needed, with the error of the last fetcher tried, or with
 * the signal's reason. An answer that was not good is kept: it is returned, with a warning, if the next fetcher fails.
 */
export async function fetchPage(fetchers: readonly Fetcher[], request: FetchRequest): Promise<FetchedPage> {
  // What a fetcher can is asked as late as possible: a browser has to be looked for.
  const needs = [...request.needs];
  const able = fetchers.filter((fetcher) => needs.every((need) => fetcher.can.has(need)));
  if (able.length === 0) throw unsupported(fetchers, request.needs);
  let kept: FetchedPage | undefined;
  let failure: unknown;
  let reason = request.needs.size > 0 ? "needed" : "default";
  for (const [index, fetcher] of able.entries()) {
    const canRender = () => able.slice(index + 1).some(({ can }) => can.has("render"));
    try {
      const response = { ...(await fetcher.fetch(request)), engine: fetcher.name, engineReason: reason };
      if (judgeResponse(response, canRender) !== "next") return response;
      kept = response;
      reason = "shell";
    } catch (error) {
      request.signal.throwIfAborted();
      failure = error;
      reason = "failed";
      if (judgeError(error) === "final") break;
    }
  }
  if (kept)
    return { ...kept, warning: "The page builds itself with scripts, and rendering it failed; this is its bare form" };
  if (able.length === 1 || judgeError(failure) === "final") throw failure;
  throw new ScrapeError("SCRAPE_ALL_ENGINES_FAILED", `None of the ${able.length} fetchers could get the page`, {
    cause: failure,
  });
}

function unsupported(fetchers: readonly Fetcher[], needs: ReadonlySet<FetchNeed>): RequestError {
  const missing = [...needs].filter((need) => !fetchers.some(({ can }) => can.has(need)));
  const named = missing.length > 0 ? missing : [...needs];
  const remedies = [...new Set(named.map((need) => remedy[need]))];
  return new RequestError("UNSUPPORTED", `The request needs ${named.join(", ")}. Configure ${remedies.join(" and ")}`);
}
