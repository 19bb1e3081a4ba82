/** Fetches one page with the first fetcher that can do what it needs, and tries the next if that one fails. */
import { CrawlcoreError, RequestError, ScrapeError } from "../errors.ts";
import type { BrowserChoice } from "../options.ts";
import type { Fetcher, FetchNeed, FetchRequest, FetchResponse } from "../ports/fetcher.ts";
import { isBlocked } from "./block-signals.ts";
import { chosenFor } from "./browser-choice.ts";
import { browserCrash } from "./error-marks.ts";
import { createHostExperience, type HostExperience } from "./host-experience.ts";
import { enoughText, readSignals } from "./page-signals.ts";
import { attemptsAt } from "./second-attempt.ts";
import { isFinal, shellReason } from "./verdict.ts";
import { hasUnfilledMain, saysToWait } from "./waiting-page.ts";

/** What a host has to configure for a need. */
const remedyFor = (need: FetchNeed): string =>
  need === "stealth" ? "stealth proxies (the engine's option `proxies`)" : "a browser (the engine's option `browser`)";

/** An answer, with which fetcher it came from, and why that one was used. */
export interface FetchedPage extends FetchResponse {
  readonly engine: string;
  readonly engineReason: string;
}

export type FetchPage = (request: FetchRequest) => Promise<FetchedPage>;

const noStealth =
  "The site refuses robots, and there are no stealth proxies to try (the engine's option `proxies.stealth`)";

/**
 * Creates the function that fetches the pages of one engine.
 *
 * @param choose the host's function that overrides the choice between HTTP and the browser
 */
export function createFetchPage(fetchers: readonly Fetcher[], choose?: BrowserChoice): FetchPage {
  const choice: Choice = { choose, experience: createHostExperience() };

  async function withFallback(request: FetchRequest): Promise<FetchedPage> {
    const basic = await attempt(() => fetchPage(fetchers, request, choice));
    if ("page" in basic && !isBlocked(basic.page)) return basic.page;
    request.signal.throwIfAborted();
    if ("error" in basic && !isRefusal(basic.error)) throw basic.error;
    // Asked only now: to answer, a browser would have to be looked for.
    if (!fetchers.some(({ can }) => can.has("stealth"))) {
      if ("error" in basic) throw basic.error;
      return { ...basic.page, warning: basic.page.warning ?? noStealth };
    }
    const needs = new Set<FetchNeed>([...request.needs, "stealth"]);
    const stealth = await attempt(() => fetchPage(fetchers, { ...request, needs, proxy: "stealth" }, choice));
    if ("page" in stealth && (!isBlocked(stealth.page) || "error" in basic)) {
      return { ...stealth.page, engineReason: "blocked" };
    }
    request.signal.throwIfAborted();
    if ("page" in basic) return basic.page;
    throw basic.error;
  }

  return (request) => (request.stealthFallback === true ? withFallback(request) : fetchPage(fetchers, request, choice));
}

/** What the choice between HTTP and the browser is based on. */
interface Choice {
  readonly choose: BrowserChoice | undefined;
  readonly experience: HostExperience;
}

type Outcome = { readonly page: FetchedPage } | { readonly error: unknown };

async function attempt(run: () => Promise<FetchedPage>): Promise<Outcome> {
  try {
    return { page: await run() };
  } catch (error) {
    return { error };
  }
}

/** Some sites refuse a visitor by just closing the connection. */
function isRefusal(error: unknown): boolean {
  return CrawlcoreError.isInstance(error) && error.code === "SCRAPE_SITE_ERROR";
}

/** A fetcher cannot fetch this page, or does not take it: the next one may. */
function isPassedOn(error: unknown): boolean {
  return CrawlcoreError.isInstance(error) && error.code === "UNSUPPORTED";
}

/**
 * Tries the suitable fetchers in order, all within the deadline of `request.signal`.
 *
 * Rejects with `UNSUPPORTED` if no fetcher can do what is needed or takes the page, with the error of the last fetcher
 * tried, or with the signal's reason. An unsatisfactory answer is kept, and returned with a warning if those after it
 * fail. A browser that broke down is tried once more before, as long as there is time: there is another.
 */
async function fetchPage(fetchers: readonly Fetcher[], request: FetchRequest, choice: Choice): Promise<FetchedPage> {
  const { able, reason: firstReason } = ableFetchers(fetchers, request, choice.choose);
  let reason = firstReason;
  let kept: FetchedPage | undefined;
  let failure: unknown;
  /** Why the first one left the page to the next, which may do so only for want of a browser. */
  let passedOn: unknown;
  let again: Fetcher | undefined;
  const attempts = attemptsAt(request);
  let next = able;
  for (let fetcher = next[0]; fetcher !== undefined; fetcher = next[0]) {
    next = next.slice(1);
    let response: FetchedPage;
    try {
      const answer = await (fetcher === again ? attempts.second(fetcher) : attempts.first(fetcher));
      response = { ...answer, engine: fetcher.name, engineReason: reason };
    } catch (error) {
      request.signal.throwIfAborted();
      if (isPassedOn(error)) {
        passedOn ??= error;
        continue;
      }
      failure = error;
      if (kept && !again && browserCrash.isOn(error)) {
        again = fetcher;
        next = [fetcher, ...next];
        continue;
      }
      if (isFinal(error)) break;
      if (!kept) reason = "failed";
      continue;
    }
    if (kept && response.rendered) learn(choice.experience, hostOf(request), kept, response);
    if (response.rendered || next.length === 0) return response;
    const whyBrowser = reasonForBrowser(response, request, choice);
    if (whyBrowser === undefined) return response;
    next = next.filter(renders);
    if (next.length === 0) return response;
    kept = response;
    reason = whyBrowser;
  }
  if (kept) return { ...kept, warning: `${whyBare(kept)}; opening it in a browser failed` };
  if (failure === undefined) throw passedOn;
  if (able.length === 1 || isFinal(failure)) throw failure;
  throw new ScrapeError("SCRAPE_ALL_ENGINES_FAILED", `None of the ${able.length} fetchers could get the page`, {
    cause: failure,
  });
}

/** The fetchers that can do what is needed, in the order in which they are tried, and why the first one is. */
function ableFetchers(
  fetchers: readonly Fetcher[],
  { url, needs: needed }: FetchRequest,
  choose: BrowserChoice | undefined,
): { readonly able: readonly Fetcher[]; readonly reason: string } {
  // Fetchers are asked what they can do as late as possible, because a browser first has to be found.
  const needs = [...needed];
  const able = fetchers.filter((fetcher) => needs.every((need) => fetcher.can.has(need)));
  if (able.length === 0) throw unsupported(fetchers, needed);
  const reason = needs.length > 0 ? `needed: ${needs.join(", ")}` : "default";
  const usual = renders(able[0]!) ? "browser" : "http";
  const wanted = chosenFor({ url, suggestion: usual }, choose);
  if (wanted === usual) return { able, reason };
  const chosen = able.filter((fetcher) => renders(fetcher) === (wanted === "browser"));
  if (wanted === "browser") {
    if (chosen.length === 0) throw unsupported(fetchers, new Set(["render"]));
    return { able: chosen, reason: "chosen" };
  }
  // What needs a browser goes there in any case, and what comes over HTTP may still turn out to need one.
  return { able: [...chosen, ...able.filter(renders)], reason: chosen.length > 0 ? "chosen" : reason };
}

/** Why a browser should open a page of which this is the answer over HTTP; undefined if the answer is enough. */
function reasonForBrowser(
  response: FetchedPage,
  request: FetchRequest,
  { choose, experience }: Choice,
): string | undefined {
  const reason =
    shellReason(response, () => experience.of(hostOf(request))) ??
    (request.proxy === "stealth" && isBlocked(response) ? "blocked" : undefined);
  const suggestion = reason === undefined ? "http" : "browser";
  const chosen = chosenFor({ url: request.url, suggestion, reason, response }, choose);
  return chosen === "http" ? undefined : (reason ?? "chosen");
}

function hostOf({ url }: FetchRequest): string {
  return URL.parse(url)?.host ?? "";
}

const renders = ({ can }: Fetcher): boolean => can.has("render");

function whyBare(kept: FetchedPage): string {
  return isBlocked(kept) ? "The site refuses robots" : "The page builds itself with scripts, and this is its bare form";
}

/** Learns only from two complete answers: a refusal or failure says nothing about how the host builds its pages. */
function learn(experience: HostExperience, host: string, http: FetchedPage, browser: FetchedPage): void {
  if (http.statusCode !== 200 || browser.statusCode !== 200 || isBlocked(http) || isBlocked(browser)) return;
  experience.learn(host, { http: contentOf(http), browser: contentOf(browser) });
}

function unsupported(fetchers: readonly Fetcher[], needs: ReadonlySet<FetchNeed>): RequestError {
  const missing = [...needs].filter((need) => !fetchers.some(({ can }) => can.has(need)));
  const named = missing.length > 0 ? missing : [...needs];
  const remedies = [...new Set(named.map(remedyFor))];
  return new RequestError("UNSUPPORTED", `The request needs ${named.join(", ")}. Configure ${remedies.join(" and ")}`);
}

/** Characters of its text; menus around what is still to come do not count. */
function contentOf({ body }: FetchedPage): number {
  const { text } = readSignals(body);
  return hasUnfilledMain(body) || (text < enoughText && saysToWait(body)) ? 0 : text;
}
