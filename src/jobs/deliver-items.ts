/** One turn of an outbox lane: its items are delivered in order, until one fails or the turn has taken long enough. */

import { withDeadline } from "../fetch/deadline.ts";
import { traced } from "../page/traced.ts";
import type { Logger } from "../ports/logger.ts";
import type { LaneReport, OutboxItem, OutboxLane } from "../ports/outbox.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { errorText, shownErrorText } from "../shared/error-text.ts";
import { orAborted } from "../shared/or-aborted.ts";

/** Where items are delivered. */
export interface DeliveryTarget {
  /** Resolves when the receiver has the item; rejects with whatever went wrong. */
  deliver(item: DeliveredItem, signal: AbortSignal): Promise<void>;
  /**
   * Milliseconds before the next attempt on an item of this age, after `attempts` failed ones; null gives the item up.
   */
  retryDelay(attempts: number, error: unknown, ageMs: number): number | null;
  /** This engine does not have the receiver, and leaves its items to another one: that is no attempt. */
  readonly isAbsent?: boolean;
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

export interface TurnParts {
  readonly targetOf: (name: string) => DeliveryTarget;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly stopping: AbortSignal;
  /** The time by which items are due. */
  readonly clock: () => number;
  /** Called when a delivery of the team takes long; the returned function, when it has ended. */
  readonly onSlow: (team: string) => () => void;
}

/** A lane is given back after this time, so that its lease stays short and others get their turn. */
export const longestTurnMs = 2000;
const slowAfterMs = 1000;

/** `items` is emptied on the way: for a slow receiver, only the item being delivered is held in memory. */
export async function deliverItems(
  parts: TurnParts,
  items: OutboxLane["items"][number][],
): Promise<Pick<LaneReport, "delivered" | "failed">> {
  const { telemetry, logger, stopping, clock } = parts;
  const begun = clock();
  const delivered: string[] = [];
  for (let item = items.shift(); item !== undefined; item = items.shift()) {
    if (stopping.aborted || clock() - begun > longestTurnMs) break;
    const target = parts.targetOf(item.target);
    try {
      const attributes = { target: item.target, attempt: item.attempts + 1 };
      const next = item;
      const letGo = () => void items.splice(0);
      await traced(telemetry, "crawlcore.delivery", { attributes }, () => deliver(parts, target, next, letGo));
      telemetry.count("crawlcore.deliveries", 1, { target: item.target, outcome: "delivered" });
      delivered.push(item.id);
    } catch (error) {
      if (stopping.aborted) break;
      const failed = failureOf(item, target, error, clock());
      const outcome = failed.retryAt === null ? "given up" : target.isAbsent === true ? "left" : "failed";
      telemetry.count("crawlcore.deliveries", 1, { target: item.target, outcome });
      logger.warn("a delivery failed", { id: item.id, attempt: item.attempts + 1, error: errorText(error) });
      return { delivered, failed };
    }
  }
  return { delivered };
}

async function deliver(
  { stopping, onSlow }: TurnParts,
  target: DeliveryTarget,
  item: DeliveredItem,
  letGo: () => void,
): Promise<void> {
  const deadline = withDeadline(stopping, target.timeoutMs, false);
  let slowEnds: (() => void) | undefined;
  const patience = setTimeout(() => {
    letGo();
    slowEnds = onSlow(item.team);
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
    slowEnds?.();
  }
}

function failureOf(
  { id, createdAt, attempts }: OutboxLane["items"][number],
  target: DeliveryTarget,
  error: unknown,
  now: number,
): NonNullable<LaneReport["failed"]> {
  const at = Date.now();
  const age = at - createdAt;
  const wait = age > target.retriedForMs ? null : target.retryDelay(attempts + 1, error, age);
  const retryAt = wait === null ? null : Math.ceil(now + wait);
  return { id, at, retryAt, error: shownErrorText(error), isAttempt: target.isAbsent !== true };
}
