/** What kind of tab a request needs, and what its page may load. */
import type { BrowserContextOptions, CDPSession } from "playwright";
import { RequestError } from "../../errors.ts";
import type { FetchRequest } from "../../ports/fetcher.ts";
import type { Route } from "../connectors.ts";
import type { AdBlocking } from "./ad-blocking.ts";
import { type CallersHeaders, cookiesOf } from "./callers-headers.ts";
import { dress, identityOf } from "./identity.ts";
import type { TabContext } from "./open-tab.ts";
import type { TrafficRules } from "./page-traffic.ts";
import type { Stealth } from "./stealth.ts";

/** What kind of tab a request needs. */
export interface TabOrder {
  /** Teams take turns if there are fewer tabs than requests. */
  readonly team: string;
  /**
   * Requests with equal keys may use the same tab one after the other. Undefined: a new tab, which is closed after use.
   */
  readonly key: string | undefined;
  readonly context: (version: string) => TabContext;
  /** The route behind the engine's own proxy. */
  readonly route: Route;
}

/** The share of its time that a page may spend on a file that it offers as a download; the rest is for the page itself. */
const downloadPart = 0.6;

/** Limits that the engine sets for every page. */
interface PageLimits {
  readonly maxRedirects: number;
  readonly maxBodyBytes: number;
  /** The host's user agent, for requests that set none. */
  readonly userAgent?: string | undefined;
  readonly ads: AdBlocking;
  readonly stealth: Stealth;
}

export function orderOf(
  request: FetchRequest,
  { userAgent: hostsAgent, ads, stealth, ...limits }: PageLimits,
  proxy: string | undefined,
): { order: TabOrder; rules: TrafficRules } {
  const isStealth = request.proxy === "stealth";
  const { "user-agent": askedAgent = "", cookie, ...named } = request.headers;
  // Without a name of its own, a browser says that it is headless.
  const userAgent = askedAgent.trim() || (isStealth ? undefined : hostsAgent);
  const home = new URL(request.url);
  const callers = { home, headers: sendable(named, home.host), cookies: cookiesOf(cookie) };
  const pictured =
    request.screenshot !== undefined || request.actions.some(({ type }) => type === "screenshot" || type === "pdf");
  const identity = identityOf(request, userAgent);
  const options: BrowserContextOptions = {
    ...identity.context,
    acceptDownloads: false,
    ignoreHTTPSErrors: request.skipTlsVerification,
  };
  // Headers and actions of a caller may leave traces that no cleaning finds, so such a tab is used only once, as is one
  // with a stealth likeness.
  const isPlain = Object.keys(request.headers).length === 0 && request.actions.length === 0 && !isStealth;
  return {
    order: {
      team: request.team,
      key: isPlain ? JSON.stringify([request.team, options, identity.languages, proxy]) : undefined,
      route: { proxy, skipTlsVerification: request.skipTlsVerification },
      context(version) {
        const agent = identity.agent(version);
        const likeness = isStealth && !agent.isChosen ? stealth.likeness(agent) : undefined;
        return {
          options: { ...options, ...likeness?.context },
          async prepare(context) {
            if (likeness) await context.addInitScript({ content: likeness.script });
          },
          async dress(session) {
            await dress(session, agent);
            await setCookies(session, callers);
          },
        };
      },
    },
    rules: {
      callers,
      ...limits,
      isUnwanted: request.isUnwanted,
      maxDownloadMs: request.timeout === undefined ? undefined : request.timeout * downloadPart,
      textOnly: !pictured,
      beforeRedirect: request.beforeRedirect,
      ...(request.blockAds
        ? {
            blockedUrls: ads.urls,
            isBlocked: ads.isBlocked,
            isRefusedHost: (host: string) => ads.isAdHost(host, home.hostname),
          }
        : {}),
      showFiles: pictured || request.actions.length > 0,
    },
  };
}

/** Headers for which a browser would leave the whole request unsent. */
const unsendable = /^(?:set-cookie|cookie2|proxy-.+)$/;

/**
 * Removes headers that are not for the site, and those that a browser sends by itself.
 *
 * @throws RequestError `UNSUPPORTED` for a header that browsers do not send, and for a `host` header with another host
 *   than that of the URL
 */
function sendable(headers: FetchRequest["headers"], own: string): FetchRequest["headers"] {
  const { host = own, "proxy-authorization": _, ...rest } = headers;
  const refused =
    host.toLowerCase() === own ? Object.keys(rest).find((name) => unsendable.test(name)) : `host: ${host}`;
  if (refused !== undefined) {
    throw new RequestError("UNSUPPORTED", `The page needs a browser, which cannot send the header \`${refused}\``);
  }
  return rest;
}

/**
 * Sets cookies instead of a header, so that they work with the page's scripts and the site's answers. Anything that is
 * no valid cookie for a browser, by its name or length, is left out, since no browser would send it.
 */
async function setCookies(session: CDPSession, { home: { origin }, cookies }: CallersHeaders): Promise<void> {
  const secure = origin.startsWith("https:");
  for (const one of cookies) {
    // Without a domain, because the prefix `__Host-` permits none.
    await session.send("Network.setCookie", { ...one, url: origin, path: "/", secure }).catch(() => {});
  }
}
