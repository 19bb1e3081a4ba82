/**
 * Tabs: one page in one context of its own, lent to one request at a time. The number of tabs is bounded; browsers are
 * started when needed, replaced when old or large, and closed when idle.
 *
 * A tab is lent again only for the same key, which holds the team, and after everything the last page left in it is
 * gone. When that cannot be made sure of, the tab is closed.
 */
import { RequestError, ScrapeError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import { orAborted, withDeadline } from "../deadline.ts";
import type { EgressProxy, EgressRoute } from "../egress-proxy.ts";
import { type OpenTab, openTab, scrub, type TabContext } from "./open-tab.ts";
import type { RunningBrowser } from "./running-browser.ts";
import { createTabTurns } from "./tab-turns.ts";

/** What kind of tab a request needs. */
export interface TabOrder {
  /** Equal keys may use the same tab one after the other. Undefined: a new tab, closed after use. */
  readonly key: string | undefined;
  readonly context: (version: string) => TabContext;
  /** The way behind the engine's own proxy. */
  readonly route: EgressRoute;
}

/** A tab on loan. */
export interface Tab extends Omit<OpenTab, "context" | "crash"> {
  /** Gives the tab back. `clean`: its page came to a good end, so that the tab may be lent again. */
  release(clean: boolean): void;
}

export interface Tabs {
  lease(order: TabOrder, signal: AbortSignal): Promise<Tab>;
  close(): Promise<void>;
}

/** When a browser is replaced by a new one: each page leaves a little behind. */
export interface ReplaceRules {
  readonly afterPages: number;
  readonly afterMs: number;
  readonly aboveBytes: number;
}

export interface TabsOptions {
  readonly open: () => Promise<RunningBrowser>;
  readonly egress: EgressProxy;
  readonly maxTabs: number;
  readonly replace: ReplaceRules;
  readonly logger: Logger;
}

/** Pages of one tab. */
const pagesPerTab = 50;
const idleTabMs = 10_000;
const idleBrowserMs = 30_000;
/** Between two looks at a browser's memory, in pages. */
const memoryCheckEvery = 10;
/** For opening a tab, and for closing one. */
const openTimeoutMs = 10_000;
const closeTimeoutMs = 4_000;

interface Host {
  readonly running: RunningBrowser;
  readonly tabs: Set<Slot>;
  served: number;
  /** {@link served} when its memory was looked at last. */
  measured: number;
  retired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}

interface Slot extends OpenTab {
  readonly host: Host;
  readonly key: string | undefined;
  uses: number;
  busy: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
  closing?: Promise<void>;
}

export function createTabs({ open, egress, maxTabs, replace, logger }: TabsOptions): Tabs {
  const hosts = new Set<Host>();
  const turns = createTabTurns(maxTabs);
  /** Work that must be over before everything is closed. */
  const pending = new Set<Promise<unknown>>();
  /** The browser in which tabs are opened. */
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
      const host: Host = { running, tabs: new Set(), served: 0, measured: 0, retired: false };
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

  async function hostWithRoom(tries = 3): Promise<Host> {
    const found = current ?? startHost();
    const host = await found;
    if (host.retired) {
      // Whoever sees it first makes room for the next one.
      if (current === found) current = undefined;
      if (tries === 0) throw new ScrapeError("UNKNOWN_ERROR", "The browser ends as soon as it is there");
      return hostWithRoom(tries - 1);
    }
    clearTimeout(host.idleTimer);
    return host;
  }

  function retire(host: Host): void {
    if (host.retired) return;
    host.retired = true;
    closeIfUnused(host);
  }

  function closeIfUnused(host: Host): void {
    const busy = [...host.tabs].some((slot) => slot.busy);
    if (busy || closed || !hosts.has(host)) return;
    if (host.retired) {
      hosts.delete(host);
      void track(end(host));
    } else if (host.tabs.size === 0) {
      clearTimeout(host.idleTimer);
      host.idleTimer = setTimeout(() => retire(host), idleBrowserMs).unref();
    }
  }

  /** Ends a browser and its tabs. One that is not ours lives on, so that its tabs have to be closed one by one. */
  async function end({ running, tabs, idleTimer }: Host): Promise<void> {
    clearTimeout(idleTimer);
    for (const slot of tabs) {
      clearTimeout(slot.idleTimer);
      slot.pass.revoke();
    }
    if (!running.isOurs) await Promise.all([...tabs].map(closeSlot));
    await running.close();
  }

  function replaceIfOld(host: Host): void {
    if (host.retired) return;
    const old =
      host.served >= replace.afterPages || Date.now() - host.running.startedAt >= replace.afterMs || isLarge(host);
    if (!old) return;
    logger.debug("A browser is replaced", { pages: host.served });
    retire(host);
  }

  function isLarge(host: Host): boolean {
    if (host.served - host.measured < memoryCheckEvery) return false;
    host.measured = host.served;
    return host.running.memory() > replace.aboveBytes;
  }

  function idleSlots(): Slot[] {
    return [...hosts].flatMap((host) =>
      host.retired ? [] : [...host.tabs].filter((slot) => !slot.busy && !slot.closing),
    );
  }

  async function openSlot(order: TabOrder): Promise<Slot> {
    const host = await hostWithRoom();
    const { running } = host;
    // A browser that is starting up or overloaded must not hold a request until its deadline.
    const limit = withDeadline(undefined, openTimeoutMs);
    try {
      const pass = await egress.issue(order.route);
      const opened = await openTab(running, order.context(running.browser.version()), pass, limit.signal);
      const slot: Slot = { ...opened, host, key: order.key, uses: 0, busy: true };
      host.tabs.add(slot);
      return slot;
    } catch (error) {
      if (limit.signal.aborted) kill(host, "A browser that opens no tabs is killed");
      throw error;
    } finally {
      limit.dispose();
    }
  }

  function kill(host: Host, why: string): void {
    logger.warn(why);
    retire(host);
    host.running.kill();
  }

  /** Ends a tab; a browser that cannot even do that is killed, with all its tabs. */
  function closeSlot(slot: Slot): Promise<void> {
    slot.closing ??= track(
      (async () => {
        clearTimeout(slot.idleTimer);
        slot.pass.revoke();
        const timer = setTimeout(
          () => kill(slot.host, "A browser that does not close a tab is killed"),
          closeTimeoutMs,
        );
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
    replaceIfOld(slot.host);
    const closing = !reusable || slot.host.retired || closed ? closeSlot(slot) : undefined;
    slot.busy = false;
    if (closing) return await closing;
    slot.idleTimer = setTimeout(() => void closeSlot(slot), idleTabMs).unref();
  }

  return {
    async lease(order, signal) {
      await turns.take(signal);
      let slot: Slot | undefined;
      try {
        if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
        const idle = idleSlots();
        slot = idle.find(({ key }) => key !== undefined && key === order.key);
        if (slot) {
          clearTimeout(slot.idleTimer);
          slot.busy = true;
        } else {
          if (idle.length > 0 && idle.length > turns.free) void closeSlot(idle[0]!);
          const opening = track(openSlot(order));
          // A tab that comes after the abort is nobody's.
          slot = await orAborted(opening, signal).catch((error) => {
            opening.then((late) => void release(late, false)).catch(() => {});
            throw error;
          });
        }
      } catch (error) {
        turns.end();
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
          void track(release(lent, clean).finally(turns.end));
        },
      };
    },
    async close() {
      closed = true;
      turns.dismiss();
      for (const { tabs } of hosts) for (const { pass } of tabs) pass.revoke();
      // A browser may still be starting: it is closed when it has come.
      await current?.catch(() => {});
      await Promise.all([...hosts].map(end));
      hosts.clear();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
