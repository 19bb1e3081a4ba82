/** The lanes of the memory driver's outbox: a queue of entries for each, and a heap that says which lane is due. */

import type { OutboxItem } from "../../ports/outbox.ts";
import { Heap, type HeapItem } from "./heap.ts";

export interface Entry {
  readonly item: OutboxItem;
  readonly document: string | null;
  attempts: number;
  dueAt: number;
  state: "waiting" | "done" | "failed";
  error: string;
  failedAt: number;
}

interface Lane extends HeapItem {
  readonly name: string;
  /** Of lanes that are due at the same time, the oldest comes first. */
  readonly number: number;
  entries: Entry[];
  /** Entries before this one are done with. */
  head: number;
  worker: string | null;
  leaseUntil: number;
  /** When the lane can be taken next. */
  availableAt: number;
}

export class OutboxLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #due = new Heap<Lane>(
    (a, b) => a.availableAt < b.availableAt || (a.availableAt === b.availableAt && a.number < b.number),
  );
  #made = 0;

  get(name: string): Lane | undefined {
    return this.#lanes.get(name);
  }

  all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  /** When the next lane can be taken; null if there are no lanes. */
  get nextDue(): number | null {
    return this.#due.peek()?.availableAt ?? null;
  }

  append(entry: Entry): void {
    let lane = this.#lanes.get(entry.item.lane);
    if (lane === undefined) {
      lane = {
        name: entry.item.lane,
        number: this.#made,
        entries: [],
        head: 0,
        worker: null,
        leaseUntil: 0,
        availableAt: entry.dueAt,
        heapIndex: -1,
      };
      this.#made += 1;
      this.#lanes.set(lane.name, lane);
      this.#due.push(lane);
    }
    lane.entries.push(entry);
  }

  /** Leases lanes that are due, at most as many as are wanted. */
  take(worker: string, now: number, leaseUntil: number, most: number): Lane[] {
    const taken: Lane[] = [];
    for (let lane = this.#due.peek(); lane !== undefined && taken.length < most; lane = this.#due.peek()) {
      if (lane.availableAt > now) break;
      this.#due.remove(lane);
      taken.push(lane);
    }
    for (const lane of taken) {
      lane.worker = worker;
      lane.leaseUntil = leaseUntil;
      this.reschedule(lane);
    }
    return taken;
  }

  /** Ends the lease. The lane's next turn comes after those of lanes that were due by `at`. */
  free(lane: Lane, at = 0): void {
    lane.worker = null;
    lane.leaseUntil = at;
    this.reschedule(lane);
  }

  /** Skips entries that no longer wait, and updates the lane's place in the heap; an empty lane is removed. */
  reschedule(lane: Lane): void {
    while (lane.head < lane.entries.length && lane.entries[lane.head]?.state !== "waiting") lane.head += 1;
    // Trimmed rarely, so that each entry is moved a constant number of times on average.
    if (lane.head > 64 && lane.head * 2 > lane.entries.length) {
      lane.entries = lane.entries.slice(lane.head);
      lane.head = 0;
    }
    this.#due.remove(lane);
    const first = lane.entries[lane.head];
    if (first === undefined) {
      this.#lanes.delete(lane.name);
      return;
    }
    lane.availableAt = Math.max(first.dueAt, lane.leaseUntil);
    this.#due.push(lane);
  }
}

/** The first waiting entries, up to one that is not due. */
export function dueEntries({ entries, head }: Lane, now: number, most: number): Entry[] {
  const due: Entry[] = [];
  for (let i = head; i < entries.length && due.length < most; i += 1) {
    const entry = entries[i] as Entry;
    if (entry.state !== "waiting") continue;
    if (entry.dueAt > now) break;
    due.push(entry);
  }
  return due;
}
