/**
 * Hands what lies in the outbox to its targets: in order within a lane, lanes side by side, so that a receiver that is
 * slow or dead delays nothing but its own lane. What fails is tried again later, then kept as failed.
 */
import { setTimeout as delay } from "node:timers/promises";
import { errorText, shownErrorText } from "../contract/error-text.ts";
import { orAborted } from "../contract/or-aborted.ts";
import { withDeadline } from "../fetch/deadline.ts";
import { traced } from "../page/traced.ts";
import type { Logger } from "../ports/logger.ts";
import type { LaneReport, Outbox, OutboxItem, OutboxLane } from "../ports/outbox.ts";
import type { Telemetry } from "../ports/telemetry.ts";

/** A place that items go to. */
export interface DeliveryTarget {
  /** Resolves when the receiver has the item; rejects with whatever went wrong. */
  deliver(item: DeliveredItem, signal: AbortSignal): Promise<void>;
  /** Milliseconds before the next attempt after `attempts` failed ones; null gives the item up. */
  retryDelay(attempts: number, error: unknown): number | null;
  /**
   * Milliseconds from its creation that an item is tried again in. An older one has one attempt: a receiver that is dead
   * for good would else keep a job of thousands of events waiting for months, each through its whole schedule.
   */
  readonly retriedForMs: number;
  /** Milliseconds that one delivery may take. */
  readonly timeoutMs: number;
}

export type DeliveredItem = OutboxItem & { readonly document: string | null };

export interface Delivery {
  /** There may be something to deliver. */
  wake(): void;
  /** Ends deliveries under way; what was not delivered stays in the outbox. Idempotent. */
  stop(): Promise<void>;
}

/** Lanes worked at once. Those whose receiver is slow do not count, up to a bound: dead ones must not take all places. */
const maxLanes = 32;
const maxSlowLanes = 480;
const slowAfterMs = 1000;
/** How soon a storage that failed is asked again. */
const troubledMs = 1000;
const settleAttempts = 5;
/** Items taken of a lane. */
const batch = 50;
/** A lane is given back after this time, so that its lease stays short and others have their turn. */
const longestTurnMs = 2000;
/** No timer waits longer: another engine may have added something. */
const longestWaitMs = 60_000;

export function createDelivery(parts: {
  readonly outbox: Outbox;
  readonly worker: string;
  /** Undefined: nobody takes such items here (any more); they are passed over. */
  readonly targetOf: (name: string) => DeliveryTarget | undefined;
  readonly longestDeliveryMs: number;
  /** Other engines may add to the outbox: it is looked at again though nothing is due. */
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
        // Without room it is the end of a delivery that brings the next look.
        if (room > 0 && !again && !stopping.signal.aborted) await sleepUntilDue();
      } while (again && !stopping.signal.aborted);
    } catch (error) {
      if (stopping.signal.aborted) return;
      again = false;
      logger.error("the outbox could not be read", { error: errorText(error) });
      timer = setTimeout(wake, troubledMs).unref();
    }
  }

  /** A lane that ends wakes the next look, so a timer is needed only for what becomes due later, or comes from elsewhere. */
  async function sleepUntilDue(): Promise<void> {
    const due = await outbox.nextDue();
    if (again || stopping.signal.aborted) return;
    if (due === null && !parts.isShared) return;
    const wait = due === null ? longestWaitMs : due - Date.now();
    // A lane that ended just after the last was set has brought us here again: left alone, it would hold a closed engine.
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(wait, 10), longestWaitMs));
    timer.unref();
  }

  /** `items` is emptied: of what a slow receiver is to get, no more than it is getting is held in memory. */
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

  /** A storage that fails now may work again soon; else the lane stands still until its lease runs out. */
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
      // Woken between its last look and here: nobody would look any more.
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
