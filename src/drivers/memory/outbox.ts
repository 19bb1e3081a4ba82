/** The outbox of the memory driver: items by id and by lane, and given-up items by job. */

import type { FailedItem, Outbox, OutboxItem } from "../../ports/outbox.ts";
import { dueEntries, type Entry, OutboxLanes } from "./outbox-lanes.ts";

export interface MemoryOutbox extends Outbox {
  /** The same as `add`, synchronously, within the caller's step; `document` is added to the items that want it. */
  insert(items: readonly OutboxItem[], document: string | null): void;
  /** Deletes the given-up items of a job. */
  forgetFailed(jobId: string): void;
}

/** @param keeps whether items of a job that are given up are kept */
export function memoryOutbox(keeps: (jobId: string) => boolean): MemoryOutbox {
  const entries = new Map<string, Entry>();
  const lanes = new OutboxLanes();
  const failed = new Map<string | null, Set<Entry>>();

  function insert(items: readonly OutboxItem[], document: string | null): void {
    for (const item of items) {
      if (entries.has(item.id)) continue;
      const entry: Entry = {
        item,
        document: item.withDocument === true ? document : null,
        attempts: 0,
        dueAt: item.createdAt,
        state: "waiting",
        error: "",
        failedAt: 0,
      };
      entries.set(item.id, entry);
      lanes.append(entry);
    }
  }

  /** The entry, if it waits in the lane. */
  function waitingIn(lane: string, id: string): Entry | undefined {
    const entry = entries.get(id);
    return entry?.item.lane === lane && entry.state === "waiting" ? entry : undefined;
  }

  function forget(entry: Entry): void {
    entry.state = "done";
    entries.delete(entry.item.id);
  }

  function giveUp(entry: Entry, at: number): void {
    const { jobId } = entry.item;
    if (jobId !== null && !keeps(jobId)) {
      forget(entry);
      return;
    }
    entry.state = "failed";
    entry.failedAt = at;
    const ofJob = failed.get(jobId);
    if (ofJob === undefined) failed.set(jobId, new Set([entry]));
    else ofJob.add(entry);
  }

  return {
    insert,

    async add(items) {
      insert(items, null);
    },

    async take({ worker, now, leaseUntil, lanes: most, batch }) {
      return lanes.take(worker, now, leaseUntil, most).map((lane) => ({
        lane: lane.name,
        items: dueEntries(lane, now, batch).map(({ item, document, attempts }) => ({ ...item, document, attempts })),
      }));
    },

    async settle({ lane: name, worker }, { at, delivered, failed: failure }) {
      const lane = lanes.get(name);
      if (lane === undefined) return;
      for (const id of delivered) {
        const entry = waitingIn(name, id);
        if (entry !== undefined) forget(entry);
      }
      if (lane.worker !== worker) {
        lanes.reschedule(lane);
        return;
      }
      const entry = failure === undefined ? undefined : waitingIn(name, failure.id);
      if (failure !== undefined && entry !== undefined) {
        if (failure.isAttempt !== false) entry.attempts += 1;
        entry.error = failure.error;
        if (failure.retryAt === null) giveUp(entry, failure.at);
        else entry.dueAt = failure.retryAt;
      }
      lanes.free(lane, at);
    },

    async listHolders() {
      return [...new Set(lanes.all().flatMap(({ worker }) => worker ?? []))];
    },

    async releaseLanes(worker) {
      for (const lane of lanes.all()) if (lane.worker === worker) lanes.free(lane);
    },

    async nextDue() {
      return lanes.nextDue;
    },

    async listFailed({ team, jobId, skip = 0, limit = Number.POSITIVE_INFINITY }) {
      const sets = jobId === undefined ? [...failed.values()] : [failed.get(jobId) ?? []];
      return sets
        .flatMap((entriesOfJob) => [...entriesOfJob])
        .filter(({ item }) => item.team === team)
        .sort((a, b) => a.failedAt - b.failedAt)
        .slice(skip, skip + limit)
        .map(toFailedItem);
    },

    async redeliver(id, team) {
      const entry = entries.get(id);
      if (entry?.state !== "failed" || entry.item.team !== team) return false;
      failed.get(entry.item.jobId)?.delete(entry);
      // A new entry, because the old one may still be in the lane's list.
      const again: Entry = { ...entry, attempts: 0, dueAt: entry.item.createdAt, state: "waiting" };
      entries.set(id, again);
      lanes.append(again);
      return true;
    },

    forgetFailed(jobId) {
      for (const entry of failed.get(jobId) ?? []) entries.delete(entry.item.id);
      failed.delete(jobId);
    },
  };
}

function toFailedItem({ item, attempts, error, failedAt }: Entry): FailedItem {
  const { id, jobId, target, payload } = item;
  return { id, jobId, target, payload, attempts, error, failedAt };
}
