/**
 * Delivers the items in the outbox to their targets: in order within a lane, with the lanes side by side, so that a
 * receiver that is slow or dead delays only its own lane. A failed delivery is retried later, and finally kept as
 * failed.
 */
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "../fetch/deadline.ts";
import { traced } from "../page/traced.ts";
import type { Logger } from "../ports/logger.ts";
import type { LaneReport, Outbox, OutboxItem, OutboxLane } from "../ports/outbox.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { errorText, shownErrorText } from "../shared/error-text.ts";
import { orAborted } from "../shared/or-aborted.ts";

/** Where items are delivered. */
export interface DeliveryTarget {
  /** Resolves when the receiver has the item; rejects with whatever went wrong. */
  deliver(item: DeliveredItem, signal: AbortSignal): Promise<void>;
  /** Milliseconds before the next attempt after `attempts` failed ones; null gives the item up. */
  retryDelay(attempts: number, error: unknown): number | null;
  /**
   * Milliseconds from its creation during which an item is retried. An older item gets a single attempt: otherwise a
   * job with thousands of events, each of which goes through its whole schedule, would keep trying a dead receiver for
   * months.
   */
  readonly retriedForMs: number;
  /** Milliseconds that one delivery may take. */
  readonly timeoutMs: number;
}

type DeliveredItem = OutboxItem & { readonly document: string | null };

export interface Delivery {
  /** There may be something to deliver. */
  wake(): void;
  /** Ends deliveries in progress; items that were not delivered stay in the outbox. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Most lanes at once. Lanes with a slow receiver do not count, up to a limit: dead receivers must not take all places.
 */
const maxLanes = 32;
const maxSlowLanes = 480;
const slowAfterMs = 1000;
/** How soon a storage that failed is asked again. */
const troubledMs = 1000;
const settleAttempts = 5;
/** Items taken from a lane at once. */
const batch = 50;
/** A lane is given back after this time, so that its lease stays short and others get their turn. */
const longestTurnMs = 2000;
/** The longest wait of a timer: another engine may have added something. */
const longestWaitMs = 60_000;

export function createDelivery(parts: {
  readonly outbox: Outbox;
  readonly worker: string;
  /** Undefined: there is no such target here (any more); its items are skipped. */
  readonly targetOf: (name: string) => DeliveryTarget | undefined;
  readonly longestDeliveryMs: number;
  /** Other engines may add to the outbox, so it is checked again even if nothing is due. */
  readonly isShared: boolean;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
}): Delivery {
  const { outbox, worker, logger, telemetry } = parts;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let slow = 0;
  let looking: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    clearTimeout(timer);
    try {
      do {
        again = false;
        const now = Date.now();
        const leaseUntil = now + longestTurnMs + parts.longestDeliveryMs + 5000;
        const room = maxLanes - running.size + Math.min(slow, maxSlowLanes);
        const lanes = room > 0 ? await outbox.take({ worker, now, leaseUntil, lanes: room, batch }) : [];
        for (const { lane, items } of lanes) follow(work(lane, [...items]));
        // Without room, the end of a delivery triggers the next look.
        if (room > 0 && !again && !stopping.signal.aborted) await sleepUntilDue();
      } while (again && !stopping.signal.aborted);
    } catch (error) {
      if (stopping.signal.aborted) return;
      again = false;
      logger.error("the outbox could not be read", { error: errorText(error) });
      timer = setTimeout(wake, troubledMs).unref();
    }
  }

  /**
   * The end of a lane triggers the next look, so a timer is needed only for items that become due later, or come from
   * elsewhere.
   */
  async function sleepUntilDue(): Promise<void> {
    const due = await outbox.nextDue();
    if (again || stopping.signal.aborted) return;
    if (due === null && !parts.isShared) return;
    const wait = due === null ? longestWaitMs : due - Date.now();
    // A lane that ended just after the last timer was set has brought us here again; that timer would keep a closed
    // engine in memory.
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(wait, 10), longestWaitMs));
    timer.unref();
  }

  /** `items` is emptied on the way: for a slow receiver, only the item being delivered is held in memory. */
  async function work(lane: string, items: OutboxLane["items"][number][]): Promise<void> {
    const begun = Date.now();
    const delivered: string[] = [];
    let failed: LaneReport["failed"];
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      if (stopping.signal.aborted || Date.now() - begun > longestTurnMs) break;
      const target = parts.targetOf(item.target);
      try {
        if (target !== undefined) {
          const attributes = { target: item.target, attempt: item.attempts + 1 };
          const next = item;
          const letGo = () => void items.splice(0);
          await traced(telemetry, "crawlcore.delivery", { attributes }, () => deliver(target, next, letGo));
          telemetry.count("crawlcore.deliveries", 1, { target: item.target, outcome: "delivered" });
        }
        delivered.push(item.id);
      } catch (error) {
        if (stopping.signal.aborted) break;
        const at = Date.now();
        const isTooOld = target === undefined || at - item.createdAt > target.retriedForMs;
        const wait = isTooOld ? null : target.retryDelay(item.attempts + 1, error);
        const outcome = wait === null ? "given up" : "failed";
        telemetry.count("crawlcore.deliveries", 1, { target: item.target, outcome });
        logger.warn("a delivery failed", { id: item.id, attempt: item.attempts + 1, error: errorText(error) });
        failed = {
          id: item.id,
          at,
          retryAt: wait === null ? null : Math.ceil(at + wait),
          error: shownErrorText(error),
        };
        break;
      }
    }
    await settle(lane, { at: Date.now(), delivered, ...(failed === undefined ? {} : { failed }) });
  }

  /**
   * A storage that fails now may soon work again; without another try, the lane stands still until its lease expires.
   */
  async function settle(lane: string, report: LaneReport): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await outbox.settle({ lane, worker }, report);
      } catch (error) {
        if (attempt === settleAttempts || stopping.signal.aborted) throw error;
        await delay(troubledMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function deliver(target: DeliveryTarget, item: DeliveredItem, onSlow: () => void): Promise<void> {
    const deadline = withDeadline(stopping.signal, target.timeoutMs, false);
    let isSlow = false;
    const patience = setTimeout(() => {
      isSlow = true;
      slow++;
      onSlow();
      wake();
    }, slowAfterMs);
    patience.unref();
    try {
      // A sink that ignores the signal is not waited for.
      await orAborted(target.deliver(item, deadline.signal), deadline.signal);
    } catch (error) {
      throw error === deadline.signal.reason ? new Error(`No answer within ${target.timeoutMs} ms`) : error;
    } finally {
      deadline.dispose();
      clearTimeout(patience);
      if (isSlow) slow--;
    }
  }

  function follow(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => logger.error("the outbox could not be written", { error: errorText(error) }))
      .finally(() => {
        running.delete(followed);
        wake();
      });
    running.add(followed);
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    again = true;
    looking ??= look().finally(() => {
      looking = undefined;
      // It was woken after its last look, and nobody else would look.
      if (again) wake();
    });
  }

  return {
    wake,
    async stop() {
      stopping.abort(new Error("The engine was closed"));
      clearTimeout(timer);
      while (looking !== undefined || running.size > 0) await Promise.all([looking, ...running]);
    },
  };
}
