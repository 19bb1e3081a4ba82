/** The open tabs of all browsers. A browser that does not respond when one is opened or closed is killed. */
import type { Logger } from "../../ports/logger.ts";
import { orAborted } from "../../shared/or-aborted.ts";
import { crashOf } from "../crash.ts";
import { withDeadline } from "../deadline.ts";
import type { EgressProxy } from "../egress-proxy.ts";
import { type OpenTab, openTab, saysItIsGone } from "./open-tab.ts";
import type { RunningBrowser } from "./running-browser.ts";
import type { TabOrder } from "./tab-order.ts";

/** A tab and what becomes of it. */
export interface Slot extends OpenTab {
  readonly running: RunningBrowser;
  readonly key: string | undefined;
  uses: number;
  busy: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
  closing?: Promise<void>;
}

interface SlotsParts {
  readonly egress: EgressProxy;
  /** Stops a browser from getting further tabs. */
  readonly retire: (running: RunningBrowser) => void;
  /** Follows work that must have ended before everything is closed. */
  readonly track: (work: Promise<unknown>) => void;
  readonly logger: Logger;
}

interface Slots {
  /** Opens a busy one. */
  open(order: TabOrder, running: RunningBrowser): Promise<Slot>;
  /** Lets it be lent again. Unless that happens soon, it is closed. */
  rest(slot: Slot): void;
  /** Those that may be lent, the one that rests for the longest time first. */
  idle(): Slot[];
  close(slot: Slot): Promise<void>;
  /** Ends the tabs of a browser. */
  end(running: RunningBrowser): Promise<void>;
  /** Cuts all tabs off from the network. */
  revoke(): void;
}

/** Milliseconds for opening a tab, and for closing one. */
const openTimeoutMs = 10_000;
const closeTimeoutMs = 4_000;
const idleTabMs = 10_000;

export function createSlots({ egress, retire, track, logger }: SlotsParts): Slots {
  const slots = new Set<Slot>();

  function kill(running: RunningBrowser, why: string): void {
    logger.warn(why);
    retire(running);
    running.kill();
  }

  async function open(order: TabOrder, running: RunningBrowser): Promise<Slot> {
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

  /** A browser that cannot even close a tab is killed, with all its tabs. */
  async function closeOnce(slot: Slot): Promise<void> {
    clearTimeout(slot.idleTimer);
    slot.pass.revoke();
    const timer = setTimeout(() => kill(slot.running, "A browser that does not close a tab is killed"), closeTimeoutMs);
    try {
      await slot.context.close();
    } catch {
      // Closed with its browser.
    } finally {
      clearTimeout(timer);
      slots.delete(slot);
    }
  }

  function close(slot: Slot): Promise<void> {
    if (slot.closing === undefined) {
      slot.closing = closeOnce(slot);
      track(slot.closing);
    }
    return slot.closing;
  }

  return {
    open,
    rest(slot) {
      slots.delete(slot);
      slots.add(slot);
      slot.busy = false;
      slot.idleTimer = setTimeout(() => void close(slot), idleTabMs).unref();
    },
    idle: () => [...slots].filter(({ busy, closing }) => !busy && !closing),
    close,
    async end(running) {
      const ended = [...slots].filter((slot) => slot.running === running);
      for (const slot of ended) {
        clearTimeout(slot.idleTimer);
        slot.pass.revoke();
        slot.crash("The browser");
        slots.delete(slot);
      }
      // A browser that is not ours continues to run, so its tabs have to be closed one by one.
      if (!running.isOurs) await Promise.all(ended.map(close));
    },
    revoke() {
      for (const { pass } of slots) pass.revoke();
    },
  };
}
