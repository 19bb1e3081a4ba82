/** The outbox of the memory driver: a queue for each lane, and a heap that says which lane is due. */

import type { FailedItem, Outbox, OutboxItem } from "../../ports/outbox.ts";
import { Heap, type HeapItem } from "./heap.ts";

export interface MemoryOutbox extends Outbox {
  /** The same as `add`, in the caller's own step; `document` is joined to the items that want it. */
  insert(items: readonly OutboxItem[], document: string | null): void;
  /** Forgets the given-up items of a job. */
  forgetFailed(jobId: string): void;
}

type Failure = NonNullable<Parameters<Outbox["settle"]>[1]["failed"]>;

interface Entry {
  readonly item: OutboxItem;
  readonly document: string | null;
  attempts: number;
  dueAt: number;
  /** Gone: delivered, or not to be kept. Its lane passes it. */
  state: "waiting" | "failed" | "gone";
  error: string;
  failedAt: number;
}

interface Lane extends HeapItem {
  readonly name: string;
  /** Of lanes due at the same moment the oldest comes first. */
  readonly number: number;
  entries: Entry[];
  /** Entries before this one are done with. */
  head: number;
  worker: string | null;
  /** Of the worker's lease; of a lane that was let go of, when that was. */
  leaseUntil: number;
  /** When the lane can be taken next. */
  availableAt: number;
}

/** @param keeps whether items of a job that are given up are kept */
export function memoryOutbox(keeps: (jobId: string) => boolean): MemoryOutbox {
  const entries = new Map<string, Entry>();
  const lanes = new Map<string, Lane>();
  const due = new Heap<Lane>(
    (a, b) => a.availableAt < b.availableAt || (a.availableAt === b.availableAt && a.number < b.number),
  );
  let lanesMade = 0;
  const failed = new Map<string | null, Set<Entry>>();

  function remove(entry: Entry): void {
    entry.state = "gone";
    entries.delete(entry.item.id);
  }

  /** Has the entry wait for another attempt, or gives it up. */
  function fail(entry: Entry, { at, retryAt, error }: Failure): void {
    const { jobId } = entry.item;
    entry.attempts += 1;
    entry.error = error;
    if (retryAt !== null) {
      entry.dueAt = retryAt;
    } else if (jobId !== null && !keeps(jobId)) {
      remove(entry);
    } else {
      entry.state = "failed";
      entry.failedAt = at;
      const ofJob = failed.get(jobId);
      if (ofJob === undefined) failed.set(jobId, new Set([entry]));
      else ofJob.add(entry);
    }
  }

  function append(entry: Entry): void {
    let lane = lanes.get(entry.item.lane);
    if (lane === undefined) {
      lane = {
        name: entry.item.lane,
        number: lanesMade,
        entries: [],
        head: 0,
        worker: null,
        leaseUntil: 0,
        availableAt: entry.dueAt,
        heapIndex: -1,
      };
      lanesMade += 1;
      lanes.set(lane.name, lane);
      due.push(lane);
    }
    lane.entries.push(entry);
  }

  /** Its next turn comes after those of lanes that were due by `at`. */
  function free(lane: Lane, at = 0): void {
    lane.worker = null;
    lane.leaseUntil = at;
    reschedule(lane);
  }

  /** Passes what is done with, and puts the lane where it belongs; an empty lane goes. */
  function reschedule(lane: Lane): void {
    while (lane.head < lane.entries.length && lane.entries[lane.head]?.state !== "waiting") lane.head += 1;
    // Cut off rarely, so that each entry is moved a constant number of times.
    if (lane.head > 64 && lane.head * 2 > lane.entries.length) {
      lane.entries = lane.entries.slice(lane.head);
      lane.head = 0;
    }
    due.remove(lane);
    const first = lane.entries[lane.head];
    if (first === undefined) {
      lanes.delete(lane.name);
      return;
    }
    lane.availableAt = Math.max(first.dueAt, lane.leaseUntil);
    due.push(lane);
  }

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
      append(entry);
    }
  }

  return {
    insert,

    async add(items) {
      insert(items, null);
    },

    async take({ worker, now, leaseUntil, lanes: most, batch }) {
      const taken: Lane[] = [];
      for (let lane = due.peek(); lane !== undefined && taken.length < most; lane = due.peek()) {
        if (lane.availableAt > now) break;
        due.remove(lane);
        taken.push(lane);
      }
      return taken.map((lane) => {
        lane.worker = worker;
        lane.leaseUntil = leaseUntil;
        reschedule(lane);
        const items: (OutboxItem & { document: string | null; attempts: number })[] = [];
        for (let i = lane.head; i < lane.entries.length && items.length < batch; i += 1) {
          const entry = lane.entries[i] as Entry;
          if (entry.state !== "waiting") continue;
          if (entry.dueAt > now) break;
          items.push({ ...entry.item, document: entry.document, attempts: entry.attempts });
        }
        return { lane: lane.name, items };
      });
    },

    async settle({ lane: name, worker }, report) {
      const lane = lanes.get(name);
      if (lane === undefined) return;
      for (const id of report.delivered) {
        const entry = entries.get(id);
        if (entry?.item.lane === name && entry.state === "waiting") remove(entry);
      }
      if (lane.worker !== worker) {
        reschedule(lane);
        return;
      }
      if (report.failed !== undefined) {
        const entry = entries.get(report.failed.id);
        if (entry?.item.lane === name && entry.state === "waiting") fail(entry, report.failed);
      }
      free(lane, report.at);
    },

    async listHolders() {
      return [...new Set([...lanes.values()].flatMap(({ worker }) => worker ?? []))];
    },

    async releaseLanes(worker) {
      for (const lane of [...lanes.values()]) if (lane.worker === worker) free(lane);
    },

    async nextDue() {
      return due.peek()?.availableAt ?? null;
    },

    async listFailed({ team, jobId }) {
      const sets = jobId === undefined ? [...failed.values()] : [failed.get(jobId) ?? []];
      return sets
        .flatMap((entriesOfJob) => [...entriesOfJob])
        .filter(({ item }) => item.team === team)
        .sort((a, b) => a.failedAt - b.failedAt)
        .map(toFailedItem);
    },

    async redeliver(id, team) {
      const entry = entries.get(id);
      if (entry?.state !== "failed" || entry.item.team !== team) return false;
      failed.get(entry.item.jobId)?.delete(entry);
      // A new entry: the old one may still stand in the lane's list.
      const again: Entry = { ...entry, attempts: 0, dueAt: entry.item.createdAt, state: "waiting" };
      entries.set(id, again);
      append(again);
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
