/** Opens a tab in a running browser, with its own way to the network, and cleans it for another page. */
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright";
import { CrawlcoreError } from "../../errors.ts";
import { errorText } from "../../shared/error-text.ts";
import { orAborted } from "../../shared/or-aborted.ts";
import { crashOf } from "../crash.ts";
import { withDeadline } from "../deadline.ts";
import type { EgressPass } from "../egress-proxy.ts";
import { hasCredentials } from "../url-credentials.ts";
import { throughLoopback } from "./launch-flags.ts";
import { type PageTraffic, watchTraffic } from "./page-traffic.ts";
import { noUnaskedPopUps } from "./pop-ups.ts";
import { quietConsole } from "./quiet-console.ts";
import type { RunningBrowser } from "./running-browser.ts";

/** The options of a new context, for a browser of a known version. */
export interface TabContext {
  readonly options: BrowserContextOptions;
  /** Runs before its page is opened. */
  readonly prepare?: ((context: BrowserContext) => Promise<void>) | undefined;
  /** Runs in its page. */
  readonly dress?: ((session: CDPSession) => Promise<void>) | undefined;
}

/** One page in one context. */
export interface OpenTab {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
  readonly traffic: PageTraffic;
  readonly pass: EgressPass;
  readonly frameId: string;
  /** Whether a page has logged in at a site by its address: nothing makes a browser forget that but the context's end. */
  readonly keepsLogin: () => boolean;
  /** Rejects when the page or its browser crashes. */
  readonly crashed: Promise<never>;
  /** Reports a crash. */
  readonly crash: (what: string) => void;
}

const scrubTimeoutMs = 4_000;
const withoutPeerConnections = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name]`;

/** What Playwright throws once the browser has gone, which it may do before it reports that. */
export function saysItIsGone(error: unknown): boolean {
  return !CrawlcoreError.isInstance(error) && /has been closed|target closed/i.test(errorText(error));
}

/** Rejects with the signal's reason, or with the browser's error; nothing of the tab stays then. */
export async function openTab(
  { browser, isOurs }: RunningBrowser,
  wanted: TabContext,
  pass: EgressPass,
  signal: AbortSignal,
): Promise<OpenTab> {
  const opening = browser.newContext({
    ...wanted.options,
    ...(pass.verifiesTls ? { ignoreHTTPSErrors: true } : {}),
    proxy: { server: pass.server, bypass: throughLoopback },
    serviceWorkers: "block",
  });
  try {
    const context = await orAborted(opening, signal);
    // Our own browsers are started without WebRTC; in other browsers, pages must not get past the proxy with it either.
    if (!isOurs) await context.addInitScript({ content: withoutPeerConnections });
    await context.addInitScript({ content: quietConsole });
    await context.addInitScript({ content: noUnaskedPopUps });
    await wanted.prepare?.(context);
    const page = await orAborted(context.newPage(), signal);
    let sentCredentials = false;
    const look = (url: string): void => {
      sentCredentials ||= hasCredentials(url);
    };
    page.on("websocket", (socket) => look(socket.url()));
    context.on("page", (popup) => {
      if (popup === page) return;
      look(popup.url());
      popup.on("request", (request) => look(request.url()));
      void popup.close().catch(() => {});
    });
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send("Target.getTargetInfo");
    await wanted.dress?.(session);
    const traffic = await watchTraffic(session, targetInfo.targetId, pass);
    const { promise: crashed, reject } = Promise.withResolvers<never>();
    crashed.catch(() => {});
    const crash = (what: string) => reject(crashOf(what));
    page.once("crash", () => crash("The page"));
    // Whoever asked for the tab has stopped waiting.
    signal.throwIfAborted();
    const keepsLogin = () => sentCredentials || traffic.sentCredentials;
    return { context, page, session, traffic, pass, frameId: targetInfo.targetId, keepsLogin, crashed, crash };
  } catch (error) {
    pass.revoke();
    // It may still come.
    opening.then((context) => context.close()).catch(() => {});
    throw error;
  }
}

/** Removes everything that the last page left behind; false if that failed. */
export async function scrub({ page, session, context, traffic, keepsLogin }: OpenTab): Promise<boolean> {
  if (keepsLogin()) return false;
  const limit = withDeadline(undefined, scrubTimeoutMs);
  try {
    const work = (async () => {
      await page.goto("about:blank");
      await Promise.all([
        session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" }),
        session.send("Network.clearBrowserCookies"),
        session.send("Network.clearBrowserCache"),
        session.send("Page.resetNavigationHistory"),
        // `window.name` is the only thing that a window itself carries from page to page.
        session.send("Runtime.evaluate", { expression: 'name = ""' }),
        traffic.rest(),
      ]);
      return context.pages().length === 1;
    })();
    return await orAborted(work, limit.signal);
  } catch {
    return false;
  } finally {
    limit.dispose();
  }
}
