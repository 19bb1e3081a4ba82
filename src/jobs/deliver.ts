/**
 * Delivers the items in the outbox to their targets: in order within a lane, with the lanes side by side, so that a
 * receiver that is slow or dead delays only its own lane. A failed delivery is retried later, and finally kept as
 * failed.
 */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { LaneReport, Outbox, OutboxLane } from "../ports/outbox.ts";
import { errorText } from "../shared/error-text.ts";
import { inTime } from "../shared/in-time.ts";
import { outside } from "../shared/outside.ts";
import { deliverItems, longestTurnMs, type TurnParts } from "./deliver-items.ts";
import { SlowPlaces } from "./slow-places.ts";

export interface Delivery {
  /** There may be something to deliver. */
  wake(): void;
  /** Delivers what is due. Resolves when nothing is any more, or after five seconds. Never rejects. */
  finish(): Promise<void>;
  /** Ends deliveries in progress; items that were not delivered stay in the outbox. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Most lanes at once. Lanes with a slow receiver do not count, up to a limit: dead receivers must not take all places,
 * nor those of one team the places of the others.
 */
const maxLanes = 32;
const maxSlowLanes = 480;
/** How soon a storage that failed is asked again. */
const troubledMs = 1000;
const settleAttempts = 5;
/** Items taken from a lane at once. */
const batch = 50;
/** How long a receiver may hold up an engine that is closing. */
const longestFinishMs = 5000;
/** The longest wait of a timer: another engine may have added something. */
const longestWaitMs = 60_000;

type HeldLane = Parameters<Outbox["settle"]>[0];

interface DeliveryParts extends Omit<TurnParts, "stopping" | "onSlow"> {
  readonly outbox: Outbox;
  /** The name under which lanes are held is this and a number. */
  readonly worker: string;
  readonly longestDeliveryMs: number;
  /** Other engines may add to the outbox, so it is checked again even if nothing is due. */
  readonly isShared: boolean;
}

export function createDelivery(parts: DeliveryParts): Delivery {
  const { outbox, worker, logger, clock } = parts;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const slow = new SlowPlaces(maxSlowLanes);
  let looking: Promise<void> | undefined;
  let again = false;
  let takes = 0;
  /** The name under which lanes may have been taken, though the storage has not said so: nobody works on them. */
  let unanswered: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const turnParts = { ...parts, stopping: stopping.signal, onSlow };

  async function look(): Promise<void> {
    clearTimeout(timer);
    try {
      do {
        again = false;
        const room = maxLanes - running.size + slow.taken;
        for (const { items, ...lane } of await take(room)) follow(work(lane, [...items]));
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

  async function take(room: number): Promise<(OutboxLane & HeldLane)[]> {
    if (unanswered !== null) await outbox.releaseLanes(unanswered);
    unanswered = null;
    if (room <= 0) return [];
    // A name of its own: a report that is repeated, because the storage's answer was lost, must not free a lane that has
    // been taken again since.
    const holder = `${worker}/${++takes}`;
    const now = clock();
    const leaseUntil = now + longestTurnMs + parts.longestDeliveryMs + 5000;
    unanswered = holder;
    const lanes = await outbox.take({ worker: holder, now, leaseUntil, lanes: room, batch });
    unanswered = null;
    return lanes.map((lane) => ({ ...lane, worker: holder }));
  }

  /**
   * The end of a lane triggers the next look, so a timer is needed only for items that become due later, or come from
   * elsewhere.
   */
  async function sleepUntilDue(): Promise<void> {
    const due = await outbox.nextDue();
    if (again || stopping.signal.aborted) return;
    if (due === null && !parts.isShared) return;
    const wait = due === null ? longestWaitMs : due - clock();
    // A lane that ended just after the last timer was set has brought us here again; that timer would keep a closed
    // engine in memory.
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(wait, 10), longestWaitMs));
    timer.unref();
  }

  async function work(lane: HeldLane, items: OutboxLane["items"][number][]): Promise<void> {
    const [first] = items;
    // Charges are for the host itself, whatever the team's receivers do.
    const isPutOff = first !== undefined && first.target !== "billing" && slow.areFull(first.team);
    const report = isPutOff ? { delivered: [], failed: putOff(first) } : await deliverItems(turnParts, items);
    await settle(outbox, lane, { at: clock(), ...report }, stopping.signal);
  }

  /** That is no attempt. */
  function putOff({ id, team }: OutboxLane["items"][number]): NonNullable<LaneReport["failed"]> {
    const retryAt = slow.putOff(team, clock());
    return { id, at: Date.now(), retryAt, error: "Too many receivers of the team are slow", isAttempt: false };
  }

  function follow(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => logger.error("the outbox could not be written", { error: errorText(error) }))
      .finally(async () => {
        // Receivers in this process may take all they get at once, and a storage in memory does not wait either.
        await nextTurn();
        running.delete(followed);
        wake();
      });
    running.add(followed);
  }

  /** A lane of the team gives up its place to another one until the returned function is called. */
  function onSlow(team: string): () => void {
    const leave = slow.take(team);
    wake();
    return leave;
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    again = true;
    // Many callers may wake it, and it delivers for all of them.
    looking ??= outside(look).finally(() => {
      looking = undefined;
      // It was woken after its last look, and nobody else would look.
      if (again) wake();
    });
  }

  /** Resolves when nothing is in progress; the end of a lane begins the next look. */
  async function untilIdle(): Promise<void> {
    while (looking !== undefined || running.size > 0) await Promise.all([looking, ...running]);
  }

  return {
    wake,
    async finish() {
      wake();
      await inTime(untilIdle(), longestFinishMs).catch(() => {
        logger.warn("events or charges were not delivered before the engine was closed");
      });
    },
    async stop() {
      stopping.abort(new Error("The engine was closed"));
      clearTimeout(timer);
      await untilIdle();
    },
  };
}

/** A storage that fails now may soon work again; without another try, the lane stands still until its lease expires. */
async function settle(outbox: Outbox, lane: HeldLane, report: LaneReport, stopping: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await outbox.settle(lane, report);
    } catch (error) {
      if (attempt === settleAttempts || stopping.aborted) throw error;
      await delay(troubledMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}
