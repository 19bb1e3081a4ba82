/**
 * Watches and controls the requests of a page through the browser's Fetch domain: the head of its main document, files
 * that come in its place, the caller's headers for their origin, and requests that need not be made.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "playwright";
import { type CrawlcoreError, ScrapeError } from "../../errors.ts";
import type { BeforeRedirect, FetchRequest } from "../../ports/fetcher.ts";
import type { EgressPass } from "../egress-proxy.ts";
import { isRedirect } from "../redirects.ts";
import { hasCredentials } from "../url-credentials.ts";
import { type CallersHeaders, isAtHome, patternsOfCallers, sentWith } from "./callers-headers.ts";
import { type Fate, fateOf, isBodiless } from "./document-fate.ts";
import { createReplies, headersOf, type Paused } from "./paused-requests.ts";
import { readStream } from "./response-stream.ts";

/** The answer that became the page, or the file that came instead. */
export interface MainDocument {
  readonly url: string;
  readonly statusCode: number;
  readonly statusText: string;
  /** Names in lower case; without `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly string[];
  /** Present if the answer is not a page to be rendered. */
  readonly body?: Uint8Array;
}

/** URL patterns for the browser, in which `*` stands for any characters, and a function that matches them. */
export interface UrlPatterns {
  readonly patterns: readonly string[];
  matches(url: string): boolean;
}

export interface TrafficRules {
  readonly callers: CallersHeaders;
  readonly maxRedirects: number;
  readonly maxBodyBytes: number;
  /** Milliseconds for a file that a page offers as a download: until it has come, the page itself cannot be read. */
  readonly maxDownloadMs: number | undefined;
  /** Whether a file that begins like this is of no use. */
  readonly isUnwanted?: FetchRequest["isUnwanted"] | undefined;
  /** Pictures, fonts and media are not fetched. */
  readonly textOnly: boolean;
  /** URLs that are not fetched. */
  readonly blockedUrls?: UrlPatterns | undefined;
  /** Decides about every other request of the page; costs one message for each. */
  readonly isBlocked?: ((request: { url: string; type: string; source: string }) => boolean) | undefined;
  /** Hosts that are not connected to. */
  readonly isRefusedHost?: ((host: string) => boolean) | undefined;
  /** Called before a redirect of the main document is followed; if it rejects, the page fails with its reason. */
  readonly beforeRedirect?: BeforeRedirect | undefined;
  /** Files that a browser can show are shown, because a picture is wanted. */
  readonly showFiles: boolean;
}

export interface PageTraffic {
  /** Sets the rules for the next page. */
  begin(rules: TrafficRules): Promise<void>;
  /** Lets nothing through until the next page begins. */
  rest(): void;
  /** Whether a page has ever sent a user name of its own, which the browser then sends on without being asked. */
  readonly sentCredentials: boolean;
  /** Latest main document. */
  readonly document: MainDocument | undefined;
  /** A file that the latest page offered as a download, while the browser continues to show the page. */
  readonly download: MainDocument | undefined;
  /** The URL last requested as the main document: the address of the page, or where a redirect led. */
  readonly lastUrl: string | undefined;
  /** Why the main document, or the latest file, could not be fetched. */
  readonly failure: CrawlcoreError | undefined;
}

/** A download that is cut because the page leads on has just come to its end, until the next request is heard of. */
const cutMs = 100;

const heavyTypes: readonly string[] = ["Image", "Media", "Font"];

/** Watches one page, whose main frame is `frameId`. The pass is given to the proxy whenever it asks for credentials. */
export async function watchTraffic(
  session: CDPSession,
  frameId: string,
  pass: Pick<EgressPass, "username" | "password" | "refuse">,
): Promise<PageTraffic> {
  let rules: TrafficRules | undefined;
  let document: MainDocument | undefined;
  let download: MainDocument | undefined;
  let failure: CrawlcoreError | undefined;
  let redirects: string[] = [];
  let lastUrl: string | undefined;
  /** A redirect of this main document, or of one before it, has led away from where the caller's headers may go. */
  let hasLeft = false;
  /** The answer whose file is being received. It is cut when the page leads on. */
  let receiving: Paused | undefined;
  let sentCredentials = false;

  const { proceed, fail, fulfill } = createReplies(session);

  function beforeRequest(event: Paused): void {
    const { request, resourceType } = event;
    if (!rules) {
      fail(event, "Aborted");
      return;
    }
    const isMain = resourceType === "Document" && event.frameId === frameId;
    sentCredentials ||= hasCredentials(request.url);
    if (isMain) {
      lastUrl = request.url;
      receiving = undefined;
      const isRedirected = event.redirectedRequestId !== undefined;
      if (!isRedirected) redirects = [];
      hasLeft ||= isRedirected && !isAtHome(rules.callers, request.url);
    }
    if (rules.textOnly && heavyTypes.includes(resourceType)) {
      fail(event, "BlockedByClient");
      return;
    }
    const source = document?.url ?? request.url;
    const isUnwanted =
      rules.blockedUrls?.matches(request.url) || rules.isBlocked?.({ url: request.url, type: resourceType, source });
    if (!isMain && isUnwanted) {
      fail(event, "BlockedByClient");
      return;
    }
    const { changes, taken } = sentWith(event, rules.callers, hasLeft);
    if (isMain) forget(taken, rules.callers.home);
    // Only redirects are checked: where the scripts of a page lead is up to the page.
    if (isMain && document === undefined && event.redirectedRequestId !== undefined && rules.beforeRedirect) {
      void ask(event, changes, rules.beforeRedirect);
    } else proceed(event, changes);
  }

  /** The scripts of a page elsewhere could read the cookies as well. */
  function forget(cookies: readonly { readonly name: string }[], { origin }: URL): void {
    for (const { name } of cookies) void session.send("Network.deleteCookies", { name, url: origin }).catch(() => {});
  }

  async function ask(event: Paused, changes: object, beforeRedirect: BeforeRedirect): Promise<void> {
    const asking = rules;
    let refusal: CrawlcoreError | undefined;
    await beforeRedirect(event.request.url).catch((error: CrawlcoreError) => {
      refusal = error;
    });
    if (refusal === undefined && rules === asking) {
      proceed(event, changes);
      return;
    }
    // The tab may meanwhile belong to another page.
    if (rules === asking) failure = refusal;
    fail(event, "Aborted");
  }

  async function afterResponse(event: Paused): Promise<void> {
    if (event.frameId !== frameId || event.resourceType !== "Document" || event.responseErrorReason !== undefined) {
      proceed(event);
      return;
    }
    const headers = headersOf(event.responseHeaders ?? []);
    const statusCode = event.responseStatusCode ?? 0;
    if (isRedirect(statusCode, headers["location"])) {
      redirects.push(event.request.url);
      if (rules && redirects.length > rules.maxRedirects) {
        failure = new ScrapeError("SCRAPE_SITE_ERROR", `Too many redirects: more than ${rules.maxRedirects}`);
        fail(event, "Aborted");
      } else proceed(event);
      return;
    }
    const head = {
      url: event.request.url,
      statusCode,
      statusText: event.responseStatusText ?? "",
      headers,
      redirects: [...redirects],
    };
    const fate = fateOf(head, document !== undefined && document.body === undefined);
    if (fate === "nothing") proceed(event);
    else if (fate === "page") {
      document = head;
      download = undefined;
      failure = undefined;
      proceed(event);
    } else await takeFile(event, head, fate, rules);
  }

  async function takeFile(
    event: Paused,
    head: MainDocument,
    fate: Fate,
    asked: TrafficRules | undefined,
  ): Promise<void> {
    receiving = event;
    try {
      const limits = {
        bytes: asked?.maxBodyBytes ?? 0,
        ms: fate === "download" ? asked?.maxDownloadMs : undefined,
        isUnwanted: (start: Uint8Array) => asked?.isUnwanted?.({ ...head, body: start }) ?? false,
      };
      const body = isBodiless(head)
        ? new Uint8Array()
        : await readStream(session, event.requestId, head.headers, limits);
      if (fate === "download") await sleep(cutMs);
      if (receiving === event) {
        if (fate === "download") download = { ...head, body };
        else document = { ...head, body };
        if (fate === "shown file" && asked?.showFiles === true) {
          fulfill(event, head, body);
          return;
        }
      }
    } catch (error) {
      const brokenOff = () =>
        new ScrapeError("SCRAPE_SITE_ERROR", "The answer broke off", { cause: error, retryable: true });
      if (receiving === event) failure = error instanceof ScrapeError ? error : brokenOff();
    }
    fail(event, "Aborted");
  }

  session.on("Fetch.authRequired", ({ requestId, authChallenge }) => {
    const authChallengeResponse =
      authChallenge.source === "Proxy"
        ? { response: "ProvideCredentials" as const, username: pass.username, password: pass.password }
        : { response: "CancelAuth" as const };
    void session.send("Fetch.continueWithAuth", { requestId, authChallengeResponse }).catch(() => {});
  });
  session.on("Fetch.requestPaused", (event: Paused) => {
    const answered = event.responseStatusCode !== undefined || event.responseErrorReason !== undefined;
    if (answered) void afterResponse(event);
    else beforeRequest(event);
  });

  return {
    async begin(next) {
      rules = next;
      document = undefined;
      download = undefined;
      failure = undefined;
      lastUrl = undefined;
      hasLeft = false;
      pass.refuse(next.isRefusedHost);
      await session.send("Fetch.enable", { handleAuthRequests: true, patterns: patternsOf(next) } as never);
    },
    rest() {
      rules = undefined;
      document = undefined;
      download = undefined;
      receiving = undefined;
    },
    get sentCredentials() {
      return sentCredentials;
    },
    get document() {
      return document;
    },
    get download() {
      return download;
    },
    get lastUrl() {
      return lastUrl;
    },
    get failure() {
      return failure;
    },
  };
}

function patternsOf(rules: TrafficRules): object[] {
  const documents = [
    { resourceType: "Document", requestStage: "Request" },
    { resourceType: "Document", requestStage: "Response" },
    // The only other requests whose addresses may contain a user name.
    { urlPattern: "*://*@*", resourceType: "XHR", requestStage: "Request" },
  ];
  if (rules.isBlocked) return [...documents, { urlPattern: "*", requestStage: "Request" }];
  return [
    ...documents,
    ...(rules.blockedUrls?.patterns ?? []).map((urlPattern) => ({ urlPattern, requestStage: "Request" })),
    ...(rules.textOnly ? heavyTypes.map((resourceType) => ({ resourceType, requestStage: "Request" })) : []),
    ...patternsOfCallers(rules.callers).map((urlPattern) => ({ urlPattern, requestStage: "Request" })),
  ];
}
