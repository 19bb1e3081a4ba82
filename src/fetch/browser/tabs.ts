/**
 * Tabs: one page in one context of its own, lent to one request at a time. The number of tabs is limited; a browser
 * that is old or large is retired, and one that does not respond is killed.
 *
 * A tab is lent again only for the same key, which includes the team, and after everything that the last page left in
 * it has been removed. If that cannot be ensured, the tab is closed.
 */

import { RequestError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import { orAborted } from "../../shared/or-aborted.ts";
import { createTeamTurns } from "../../shared/team-turns.ts";
import type { Route } from "../connectors.ts";
import { crashOf } from "../crash.ts";
import { withDeadline } from "../deadline.ts";
import type { EgressProxy } from "../egress-proxy.ts";
import { createBrowserPool, type Place } from "./browser-pool.ts";
import { type OpenTab, openTab, saysItIsGone, scrub, type TabContext } from "./open-tab.ts";
import type { RunningBrowser } from "./running-browser.ts";

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

/** A tab on loan. */
export interface Tab extends Omit<OpenTab, "context" | "crash"> {
  /** Gives the tab back, once. `clean`: its page ended normally, so the tab may be lent again. */
  release(clean: boolean): void;
}

export interface Tabs {
  lease(order: TabOrder, signal: AbortSignal): Promise<Tab>;
  close(): Promise<void>;
}

/** When a browser is replaced by a new one, since each page leaves a little behind. */
interface ReplaceRules {
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

/** Pages after which a tab is closed. */
const pagesPerTab = 50;
const idleTabMs = 10_000;
/** Pages between two checks of a browser's memory. */
const memoryCheckEvery = 10;
/** Milliseconds for opening a tab, and for closing one. */
const openTimeoutMs = 10_000;
const closeTimeoutMs = 4_000;

interface Slot extends OpenTab {
  readonly running: RunningBrowser;
  readonly key: string | undefined;
  uses: number;
  busy: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
  closing?: Promise<void>;
}

export function createTabs({ open, egress, maxTabs, replace, logger }: TabsOptions): Tabs {
  const pool = createBrowserPool({ open, onEnd: endSlots, placesPerBrowser: replace.afterPages, logger });
  const slots = new Set<Slot>();
  const turns = createTeamTurns(maxTabs);
  /** Work that must have ended before everything is closed. */
  const pending = new Set<Promise<unknown>>();
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

  /**
   * Ends the tabs of a browser. A browser that is not ours continues to run, so its tabs have to be closed one by one.
   */
  async function endSlots(running: RunningBrowser): Promise<void> {
    const ended = [...slots].filter((slot) => slot.running === running);
    for (const slot of ended) {
      clearTimeout(slot.idleTimer);
      slot.pass.revoke();
      slot.crash("The browser");
      slots.delete(slot);
    }
    if (!running.isOurs) await Promise.all(ended.map(closeSlot));
  }

  function isOld({ running, count }: Place): boolean {
    if (Date.now() - running.startedAt >= replace.afterMs) return true;
    return count % memoryCheckEvery === 0 && running.memory() > replace.aboveBytes;
  }

  async function openSlot(order: TabOrder, running: RunningBrowser): Promise<Slot> {
    const { browser } = running;
    const ended = new AbortController();
    const end = () => ended.abort();
    browser.once("disconnected", end);
    // A browser that is starting up or overloaded must not hold a request until its deadline.
    const limit = withDeadline(ended.signal, openTimeoutMs);
    try {
      const pass = await egress.issue(order.route);
      const opened = await orAborted(
        openTab(running, order.context(browser.version()), pass, limit.signal),
        limit.signal,
      );
      const slot: Slot = { ...opened, running, key: order.key, uses: 0, busy: true };
      slots.add(slot);
      return slot;
    } catch (error) {
      const isGone = ended.signal.aborted || !browser.isConnected() || saysItIsGone(error);
      if (isGone) throw crashOf("The browser", error);
      if (!limit.signal.aborted) throw error;
      kill(running, "A browser that opens no tabs is killed");
      throw crashOf("The browser", error);
    } finally {
      browser.off("disconnected", end);
      limit.dispose();
    }
  }

  function kill(running: RunningBrowser, why: string): void {
    logger.warn(why);
    pool.retire(running);
    running.kill();
  }

  /** Ends a tab; a browser that cannot even do that is killed, with all its tabs. */
  function closeSlot(slot: Slot): Promise<void> {
    slot.closing ??= track(
      (async () => {
        clearTimeout(slot.idleTimer);
        slot.pass.revoke();
        const timer = setTimeout(
          () => kill(slot.running, "A browser that does not close a tab is killed"),
          closeTimeoutMs,
        );
        try {
          await slot.context.close();
        } catch {
          // Closed with its browser.
        } finally {
          clearTimeout(timer);
          slots.delete(slot);
        }
      })(),
    );
    return slot.closing;
  }

  /** A tab that was lent for the same key before, or a new one. */
  async function occupy(order: TabOrder): Promise<{ slot: Slot; place: Place }> {
    const place = await pool.enter();
    try {
      if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
      const idle = [...slots].filter(({ busy, closing }) => !busy && !closing);
      let slot = idle.find(({ key, running }) => key !== undefined && key === order.key && running === place.running);
      if (slot) {
        clearTimeout(slot.idleTimer);
        slot.busy = true;
      } else {
        if (idle.length > turns.free) void closeSlot(idle[0]!);
        slot = await openSlot(order, place.running);
      }
      slot.uses += 1;
      return { slot, place };
    } catch (error) {
      await place.close();
      throw error;
    }
  }

  async function release(slot: Slot, place: Place, clean: boolean): Promise<void> {
    const { running, key, uses } = slot;
    const staysOpen = () => !closed && pool.isOpen(running);
    const reusable = clean && key !== undefined && uses < pagesPerTab && staysOpen() && (await scrub(slot));
    if (isOld(place)) pool.retire(running);
    if (reusable && staysOpen()) {
      slot.busy = false;
      slot.idleTimer = setTimeout(() => void closeSlot(slot), idleTabMs).unref();
    } else {
      await closeSlot(slot);
    }
    await place.close();
  }

  return {
    async lease(order, signal) {
      const end = await turns.take(order.team, signal);
      const opening = track(occupy(order));
      try {
        const { slot, place } = await orAborted(opening, signal);
        return {
          ...slot,
          release(clean) {
            void track(release(slot, place, clean).finally(end));
          },
        };
      } catch (error) {
        // A tab that arrives after the abort is not needed.
        opening.then(({ slot, place }) => track(release(slot, place, false))).catch(() => {});
        end();
        throw error;
      }
    },
    async close() {
      closed = true;
      turns.dismiss();
      for (const { pass } of slots) pass.revoke();
      await pool.close();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
