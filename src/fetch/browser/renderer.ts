/** Opens pages in the tabs of browsers. Apart from its fetcher, because most programs never come to need it. */
import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CrawlcoreError, RequestError } from "../../errors.ts";
import { type NetworkOptions, networkDefaults } from "../../network-options.ts";
import { type BrowserOptions, defaultBrowser } from "../../options.ts";
import type { FetchRequest, FetchResponse } from "../../ports/fetcher.ts";
import type { Logger } from "../../ports/logger.ts";
import { orAborted } from "../../shared/or-aborted.ts";
import type { ConnectorOf } from "../connectors.ts";
import { crashOf } from "../crash.ts";
import { createEgressProxy } from "../egress-proxy.ts";
import { type AdBlocking, createAdBlocking, type PageNames } from "./ad-blocking.ts";
import { type Consent, createConsent } from "./consent.ts";
import type { BrowserSource } from "./find-browser.ts";
import { runApart } from "./isolated-world.ts";
import { usableMemory } from "./memory-limit.ts";
import { saysItIsGone } from "./open-tab.ts";
import { namesInPage, removeAll } from "./page-scripts.ts";
import { renderPage } from "./render-page.ts";
import { restless, saysItLedOn } from "./restless.ts";
import { openBrowser } from "./running-browser.ts";
import { createStealth } from "./stealth.ts";
import { orderOf } from "./tab-order.ts";
import { createTabs, type Tab, type Tabs, type TabsOptions } from "./tabs.ts";

export interface RendererParts {
  readonly options?: BrowserOptions | undefined;
  readonly network?: NetworkOptions;
  /** Opens the sockets that the browser's traffic goes through. */
  readonly connectorOf: ConnectorOf;
  readonly logger: Logger;
}

export interface Renderer {
  /** @param proxy URL of the one to go through */
  render(request: FetchRequest, proxy: string | undefined): Promise<FetchResponse>;
  close(): Promise<void>;
}

/** How long to wait before trying again to start a browser that could not be started. */
const failureRestMs = 15_000;
/** A page waits for the network longer than it works. */
const tabsPerProcessor = 4;
/** About the memory that a browser with one open page takes, and each further page. */
const bytesPerTab = 300 * 1024 * 1024;

/** No browser is started before the first page. */
export function createRenderer(source: BrowserSource, parts: RendererParts): Renderer {
  const { options = {}, network = {}, logger } = parts;
  const egress = createEgressProxy(parts.connectorOf, { verifiesTls: network.ca !== undefined });
  const open = restingAfterFailure(async () => openBrowser(source, await egress.address(), logger));
  let tabs: Tabs | undefined;
  let closed = false;
  function openTabs(): Tabs {
    if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
    return createTabs({ open, egress, ...tabLimits(options), logger });
  }

  const ads = createAdBlocking(options.filterLists);
  const consent = createConsent();
  const limits = {
    maxRedirects: network.maxRedirects ?? networkDefaults.maxRedirects,
    maxBodyBytes: network.maxBodyBytes ?? networkDefaults.maxBodyBytes,
    userAgent: network.userAgent,
    ads,
    stealth: createStealth(),
  };

  async function render(request: FetchRequest, proxy: string | undefined): Promise<FetchResponse> {
    const { order, rules } = orderOf(request, limits, proxy);
    // Playwright may have been loaded just now, which takes a quarter of a second, and the pool takes as long.
    if (tabs === undefined) await nextTurn();
    tabs ??= openTabs();
    const opening = tabs.lease(order, request.signal);
    const tab = await (request.untimed?.(opening) ?? opening);
    let clean = false;
    // What the page still waits for when its browser crashes would otherwise keep the process alive.
    const over = new AbortController();
    const signal = AbortSignal.any([request.signal, over.signal]);
    try {
      const work = (async () => {
        await tab.traffic.begin(rules);
        return await renderPage(
          tab,
          { ...request, signal },
          {
            allowScripts: options.allowScripts ?? true,
            maxBodyBytes: rules.maxBodyBytes,
            ...(request.blockAds ? { onRest: (at: Tab) => uncover(at, { ...request, signal }, { ads, consent }) } : {}),
          },
        );
      })();
      const answer = await orAborted(Promise.race([work.catch(throwCause), tab.crashed]), request.signal);
      clean = true;
      return { ...answer, proxyUsed: request.proxy };
    } finally {
      over.abort();
      tab.release(clean);
    }
  }

  return {
    render,
    async close() {
      closed = true;
      await tabs?.close();
      await egress.close();
    },
  };
}

function throwCause(error: unknown): never {
  if (saysItIsGone(error)) throw crashOf("The browser", error);
  throw saysItLedOn(error) ? restless(error) : error;
}

/** Removes what covers the page: consent dialogs, and what the host's filter lists name. */
async function uncover(
  tab: Tab,
  { url, signal }: FetchRequest,
  { ads, consent }: { readonly ads: AdBlocking; readonly consent: Consent },
): Promise<void> {
  await consent.dismiss(tab, signal);
  if (!ads.hidesElements) return;
  try {
    const hidden = ads.hiddenSelectors(url, await runApart<PageNames>(tab, namesInPage));
    if (hidden.length > 0) await runApart(tab, removeAll(hidden));
  } catch (error) {
    signal.throwIfAborted();
    if (CrawlcoreError.isInstance(error)) throw error;
  }
}

/** How many tabs there may be, and when a browser is replaced. */
function tabLimits(options: BrowserOptions): Pick<TabsOptions, "maxTabs" | "replace"> {
  const memory = usableMemory();
  const fitting = Math.min(tabsPerProcessor * availableParallelism(), Math.floor(memory / 2 / bytesPerTab));
  return {
    maxTabs: options.maxPages ?? Math.max(1, fitting),
    replace: {
      afterPages: options.maxPagesPerBrowser ?? defaultBrowser.maxPagesPerBrowser,
      afterMs: options.maxBrowserAgeMs ?? defaultBrowser.maxBrowserAgeMs,
      aboveBytes: options.maxBrowserMemory ?? memory / 2,
    },
  };
}

/**
 * A browser that cannot be started now cannot be started a moment later, and every try takes seconds and leaves folders
 * behind. So for a while after a failure, `start` is not called, and what it failed with is thrown again.
 */
function restingAfterFailure<Value>(start: () => Promise<Value>): () => Promise<Value> {
  let failed: { readonly error: unknown; readonly until: number } | undefined;
  return async () => {
    if (failed !== undefined && performance.now() < failed.until) throw failed.error;
    try {
      return await start();
    } catch (error) {
      failed = { error, until: performance.now() + failureRestMs };
      throw error;
    }
  };
}
