/**
 * Tabs: one page in one context of its own, lent to one request at a time. The number of tabs is bounded; browsers are
 * started when needed, replaced when old or large, and closed when idle.
 *
 * A tab is lent again only for the same key, which holds the team, and after everything the last page left in it is
 * gone. When that cannot be made sure of, the tab is closed.
 */
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright";
import { RequestError, ScrapeError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import { orAborted, withDeadline } from "../deadline.ts";
import type { EgressPass, EgressProxy } from "../egress-proxy.ts";
import { type PageTraffic, watchTraffic } from "./page-traffic.ts";
import type { RunningBrowser } from "./running-browser.ts";

/** A new context, for a browser of a known version. */
export interface TabContext {
  readonly options: BrowserContextOptions;
  /** Runs before its page is opened. */
  readonly prepare?: ((context: BrowserContext) => Promise<void>) | undefined;
  /** Runs in its page. */
  readonly dress?: ((session: CDPSession) => Promise<void>) | undefined;
}

/** What kind of tab a request needs. */
export interface TabOrder {
  /** Equal keys may use the same tab one after the other. Undefined: a new tab, closed after use. */
  readonly key: string | undefined;
  readonly context: (version: string) => TabContext;
  /** URL of the proxy behind the engine's own. */
  readonly upstream?: string | undefined;
}

export interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  readonly traffic: PageTraffic;
  readonly pass: EgressPass;
  readonly frameId: string;
  /** Rejects when the page or its browser crashes. */
  readonly crashed: Promise<never>;
  /** Gives the tab back. `clean`: its page came to a good end, so that the tab may be lent again. */
  release(clean: boolean): void;
}

export interface Tabs {
  lease(order: TabOrder, signal: AbortSignal): Promise<Tab>;
  close(): Promise<void>;
}

export interface TabsOptions {
  readonly open: () => Promise<RunningBrowser>;
  readonly egress: EgressProxy;
  readonly maxTabs: number;
  /** Bytes above which a browser is replaced. */
  readonly maxMemory: number;
  readonly logger: Logger;
}

/** Pages after which a browser is replaced: each leaves a little behind. */
const pagesPerBrowser = 500;
const browserLifetimeMs = 30 * 60_000;
/** Pages of one tab. */
const pagesPerTab = 50;
const idleTabMs = 10_000;
const idleBrowserMs = 30_000;
/** Between two looks at a browser's memory, in pages. */
const memoryCheckEvery = 10;
/** For opening a tab, for making it clean, for closing it. */
const openTimeoutMs = 10_000;
const scrubTimeoutMs = 4_000;
const closeTimeoutMs = 4_000;

const withoutPeerConnections = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name]`;

interface Host {
  readonly running: RunningBrowser;
  readonly tabs: Set<Slot>;
  served: number;
  retired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}

interface Slot {
  readonly host: Host;
  readonly key: string | undefined;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
  readonly traffic: PageTraffic;
  readonly pass: EgressPass;
  readonly frameId: string;
  readonly crashed: Promise<never>;
  readonly crash: (what: string) => void;
  uses: number;
  busy: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
  closing?: Promise<void>;
}

export function createTabs({ open, egress, maxTabs, maxMemory, logger }: TabsOptions): Tabs {
  const hosts = new Set<Host>();
  const waiting: (() => void)[] = [];
  /** Work that must be over before everything is closed. */
  const pending = new Set<Promise<unknown>>();
  let free = maxTabs;
  let current: Promise<Host> | undefined;
  let closed = false;

  function track<Value>(work: Promise<Value>): Promise<Value> {
    const quiet = work.then(
      () => {},
      () => {},
    );
    pending.add(quiet);
    void quiet.finally(() => pending.delete(quiet));
    return work;
  }

  function startHost(): Promise<Host> {
    const start = (async () => {
      const running = await open();
      const host: Host = { running, tabs: new Set(), served: 0, retired: false };
      hosts.add(host);
      running.browser.on("disconnected", () => {
        for (const slot of host.tabs) slot.crash("The browser");
        retire(host);
        hosts.delete(host);
        if (!closed) void running.close();
      });
      if (!running.browser.isConnected()) retire(host);
      return host;
    })();
    current = start;
    start.catch(() => {
      if (current === start) current = undefined;
    });
    return track(start);
  }

  async function hostWithRoom(): Promise<Host> {
    const host = await (current ?? startHost());
    if (host.retired) {
      current = undefined;
      return hostWithRoom();
    }
    clearTimeout(host.idleTimer);
    return host;
  }

  function retire(host: Host): void {
    if (host.retired) return;
    host.retired = true;
    current = undefined;
    closeIfUnused(host);
  }

  function closeIfUnused(host: Host): void {
    const busy = [...host.tabs].some((slot) => slot.busy);
    if (busy || closed || !hosts.has(host)) return;
    if (host.retired) {
      clearTimeout(host.idleTimer);
      hosts.delete(host);
      void track(host.running.close());
    } else if (host.tabs.size === 0) {
      clearTimeout(host.idleTimer);
      host.idleTimer = setTimeout(() => retire(host), idleBrowserMs).unref();
    }
  }

  function checkAge(host: Host): void {
    const old =
      host.served >= pagesPerBrowser ||
      Date.now() - host.running.startedAt > browserLifetimeMs ||
      (host.served % memoryCheckEvery === 0 && host.running.memory() > maxMemory);
    if (!old || host.retired) return;
    logger.debug("A browser is replaced", { pages: host.served });
    retire(host);
  }

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      const index = waiting.indexOf(resolve);
      if (index >= 0) waiting.splice(index, 1);
      else endTurn(); // The turn came together with the abort.
      throw error;
    }
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  function idleSlots(): Slot[] {
    return [...hosts].flatMap((host) =>
      host.retired ? [] : [...host.tabs].filter((slot) => !slot.busy && !slot.closing),
    );
  }

  async function openSlot(order: TabOrder): Promise<Slot> {
    const host = await hostWithRoom();
    const { browser } = host.running;
    const wanted = order.context(browser.version());
    const pass = await egress.issue(order.upstream);
    let context: BrowserContext | undefined;
    // A browser that is starting up or overloaded must not hold a request until its deadline.
    const limit = withDeadline(undefined, openTimeoutMs);
    try {
      context = await orAborted(
        browser.newContext({ ...wanted.options, proxy: { server: pass.server }, serviceWorkers: "block" }),
        limit.signal,
      );
      // Our own browsers are started without it; pages of others must not get past the proxy with it either.
      if (!host.running.isOurs) await context.addInitScript({ content: withoutPeerConnections });
      await wanted.prepare?.(context);
      const page = await orAborted(context.newPage(), limit.signal);
      context.on("page", (popup) => {
        if (popup !== page) void popup.close().catch(() => {});
      });
      const session = await context.newCDPSession(page);
      const { targetInfo } = await session.send("Target.getTargetInfo");
      await wanted.dress?.(session);
      const traffic = await watchTraffic(session, targetInfo.targetId, pass);
      const { promise: crashed, reject } = Promise.withResolvers<never>();
      crashed.catch(() => {});
      const crash = (what: string) =>
        reject(new ScrapeError("SCRAPE_SITE_ERROR", `${what} crashed`, { retryable: true }));
      page.once("crash", () => crash("The page"));
      const frameId = targetInfo.targetId;
      const slot: Slot = {
        host,
        key: order.key,
        context,
        page,
        session,
        traffic,
        pass,
        frameId,
        crashed,
        crash,
        uses: 0,
        busy: true,
      };
      host.tabs.add(slot);
      return slot;
    } catch (error) {
      pass.revoke();
      void track(context?.close() ?? Promise.resolve()).catch(() => {});
      if (browser.isConnected() && limit.signal.aborted) {
        logger.warn("A browser that opens no tabs is killed");
        retire(host);
        host.running.kill();
      }
      throw error;
    } finally {
      limit.dispose();
    }
  }

  /** Ends a tab; a browser that cannot even do that is killed, with all its tabs. */
  function closeSlot(slot: Slot): Promise<void> {
    slot.closing ??= track(
      (async () => {
        clearTimeout(slot.idleTimer);
        slot.pass.revoke();
        const timer = setTimeout(() => {
          logger.warn("A browser that does not close a tab is killed");
          retire(slot.host);
          slot.host.running.kill();
        }, closeTimeoutMs);
        try {
          await slot.context.close();
        } catch {
          // Closed with its browser.
        } finally {
          clearTimeout(timer);
          slot.host.tabs.delete(slot);
          closeIfUnused(slot.host);
        }
      })(),
    );
    return slot.closing;
  }

  async function release(slot: Slot, clean: boolean): Promise<void> {
    const reusable =
      clean &&
      slot.key !== undefined &&
      slot.uses < pagesPerTab &&
      !slot.host.retired &&
      !closed &&
      (await scrub(slot));
    checkAge(slot.host);
    const closing = !reusable || slot.host.retired || closed ? closeSlot(slot) : undefined;
    slot.busy = false;
    if (closing) return await closing;
    slot.idleTimer = setTimeout(() => void closeSlot(slot), idleTabMs).unref();
  }

  return {
    async lease(order, signal) {
      await takeTurn(signal);
      let slot: Slot | undefined;
      try {
        if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
        const idle = idleSlots();
        slot = idle.find(({ key }) => key !== undefined && key === order.key);
        if (slot) {
          clearTimeout(slot.idleTimer);
          slot.busy = true;
        } else {
          if (idle.length > 0 && idle.length >= free + 1) void closeSlot(idle[0]!);
          const opening = track(openSlot(order));
          // A tab that comes after the abort is nobody's.
          slot = await orAborted(opening, signal).catch((error) => {
            opening.then((late) => void release(late, false)).catch(() => {});
            throw error;
          });
        }
      } catch (error) {
        endTurn();
        throw error;
      }
      const lent = slot;
      lent.uses += 1;
      lent.host.served += 1;
      let released = false;
      return {
        ...lent,
        release(clean) {
          if (released) return;
          released = true;
          void track(release(lent, clean).finally(endTurn));
        },
      };
    },
    async close() {
      closed = true;
      for (const turn of waiting.splice(0)) turn();
      for (const host of hosts) {
        clearTimeout(host.idleTimer);
        for (const slot of host.tabs) {
          clearTimeout(slot.idleTimer);
          slot.pass.revoke();
        }
      }
      // A browser may still be starting: it is closed when it has come.
      await current?.catch(() => {});
      const foreign = [...hosts].filter(({ running }) => !running.isOurs);
      await Promise.all(foreign.flatMap(({ tabs }) => [...tabs].map(closeSlot)));
      await Promise.all([...hosts].map(({ running }) => running.close()));
      hosts.clear();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** Removes everything that the last page left; false when that did not work. */
async function scrub({ page, session, context, traffic }: Slot): Promise<boolean> {
  const limit = withDeadline(undefined, scrubTimeoutMs);
  try {
    const work = (async () => {
      await page.goto("about:blank");
      await Promise.all([
        session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" }),
        session.send("Network.clearBrowserCookies"),
        session.send("Network.clearBrowserCache"),
        session.send("Page.resetNavigationHistory"),
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
