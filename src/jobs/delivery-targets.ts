/** The targets of the outbox that live in this process: the host's event sinks and its billing. */
import type { Billing, Reservation } from "../ports/billing.ts";
import type { EventSink, JobEvent } from "../ports/event-sink.ts";
import type { Charge } from "../ports/ledger.ts";
import type { DeliveryTarget } from "./deliver-items.ts";

/** Milliseconds that a sink may take for one event, or billing for one charge. */
const timeoutMs = 30_000;
const sinkDelays: readonly number[] = [1000, 10_000, 60_000];
/** Milliseconds during which an event is retried. */
const eventRetriedForMs = 24 * 60 * 60 * 1000;
/** What is not given up, or is left to another engine, is tried again after at least and at most so long. */
const shortestDelay = 1000;
const longestDelay = 60_000;

export function sinkTarget(sink: EventSink): DeliveryTarget {
  return {
    timeoutMs,
    retriedForMs: eventRetriedForMs,
    async deliver({ payload, document }) {
      const event = JSON.parse(payload) as JobEvent;
      await sink.emit(document === null ? event : { ...event, data: [JSON.parse(document) as unknown] });
    },
    retryDelay: (attempts) => sinkDelays[attempts - 1] ?? null,
  };
}

/** An engine without this sink leaves its events to another engine on the same storage that has it. */
export const absentSink: DeliveryTarget = {
  timeoutMs,
  isAbsent: true,
  retriedForMs: eventRetriedForMs,
  async deliver() {
    throw new Error("This engine has no such event sink; what it finds waits for one that has");
  },
  retryDelay: delayByAge,
};

/**
 * A charge is never given up: an engine without billing leaves it to another engine on the same storage that has one.
 */
export function billingTarget(billing: Billing | undefined): DeliveryTarget {
  return {
    timeoutMs,
    isAbsent: billing === undefined,
    retriedForMs: Number.POSITIVE_INFINITY,
    async deliver({ payload }) {
      if (billing === undefined) throw new Error("This engine has no billing; what it finds waits for one that has");
      const item = JSON.parse(payload) as Charge | { readonly release: Reservation };
      if ("release" in item) await billing.release?.(item.release);
      else await billing.charge(item);
    },
    retryDelay: billing === undefined ? delayByAge : doublingDelay,
  };
}

function doublingDelay(attempts: number): number {
  return Math.min(shortestDelay * 2 ** Math.min(attempts - 1, 10), longestDelay);
}

/** As long again as the item has been waiting: the delays double too, though nothing is counted. */
function delayByAge(_attempts: number, _error: unknown, ageMs: number): number {
  return Math.min(Math.max(ageMs, shortestDelay), longestDelay);
}
