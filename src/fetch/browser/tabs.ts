/**
 * Tabs: one page in one context of its own, lent to one request at a time. The number of tabs is limited; a browser
 * that is old or large is retired, and one that does not respond is killed.
 *
 * A tab is lent again only for the same key, which includes the team, and after everything that the last page left in
 * it has been removed. If that cannot be ensured, the tab is closed.
 */

import { RequestError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import { createBackground } from "../../shared/background.ts";
import { orAborted } from "../../shared/or-aborted.ts";
import { createTeamTurns } from "../../shared/team-turns.ts";
import type { EgressProxy } from "../egress-proxy.ts";
import { createBrowserPool, type Place } from "./browser-pool.ts";
import { type OpenTab, scrub } from "./open-tab.ts";
import type { RunningBrowser } from "./running-browser.ts";
import { createSlots, type Slot } from "./slots.ts";
import type { TabOrder } from "./tab-order.ts";

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
/** Pages between two checks of a browser's memory. */
const memoryCheckEvery = 10;

export function createTabs({ open, egress, maxTabs, replace, logger }: TabsOptions): Tabs {
  // What it tracks must have ended before everything is closed.
  const { track, drain } = createBackground(() => {});
  const slots = createSlots({ egress, retire: (running) => pool.retire(running), track, logger });
  const pool = createBrowserPool({ open, onEnd: slots.end, placesPerBrowser: replace.afterPages, logger });
  const turns = createTeamTurns(maxTabs);
  let closed = false;

  function isOld({ running, count }: Place): boolean {
    if (Date.now() - running.startedAt >= replace.afterMs) return true;
    return count % memoryCheckEvery === 0 && running.memory() > replace.aboveBytes;
  }

  /** A tab that was lent for the same key before, or a new one. */
  async function occupy(order: TabOrder): Promise<{ slot: Slot; place: Place }> {
    const place = await pool.enter();
    try {
      if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
      const idle = slots.idle();
      let slot = idle.find(({ key, running }) => key !== undefined && key === order.key && running === place.running);
      if (slot) {
        clearTimeout(slot.idleTimer);
        slot.busy = true;
      } else {
        if (idle.length > turns.free) void slots.close(idle[0]!);
        slot = await slots.open(order, place.running);
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
    if (reusable && staysOpen()) slots.rest(slot);
    else await slots.close(slot);
    await place.close();
  }

  return {
    async lease(order, signal) {
      const end = await turns.take(order.team, signal);
      const opening = occupy(order);
      track(opening);
      try {
        const { slot, place } = await orAborted(opening, signal);
        return {
          ...slot,
          release(clean) {
            track(release(slot, place, clean).finally(end));
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
      slots.revoke();
      await pool.close();
      await drain();
    },
  };
}
