/** The outbox: items in lanes, and for each lane when it can be taken next. Every change locks the row of its lane. */

import type { FailedItem, Outbox, OutboxItem, OutboxLane } from "../../ports/outbox.ts";
import { dueItems, type WaitingItem } from "../waiting-items.ts";
import type { Connection, Query } from "./connection.ts";

interface ItemRow extends WaitingItem {
  readonly lane: string;
  readonly error: string;
  readonly failed_at: number;
}

export function postgresOutbox({ query, transaction }: Connection): Outbox {
  return {
    add: (items) => transaction((query) => insertItems(query, items.map(ofNoPage))),

    take: ({ worker, now, leaseUntil, lanes, batch }) =>
      transaction(async (query) => {
        const names = (await query<{ name: string }>("lockAvailableLanes", now, lanes)).map(({ name }) => name);
        if (names.length === 0) return [];
        await query("takeLanes", names, worker, leaseUntil);
        const rows = Map.groupBy(await query<ItemRow>("waitingItems", names, batch), (row) => row.lane);
        const taken: OutboxLane[] = [];
        for (const name of names) {
          const items = dueItems(rows.get(name) ?? [], name, now);
          if (items.length > 0) taken.push({ lane: name, items });
          else await free(query, name);
        }
        return taken;
      }),

    settle: ({ lane, worker }, { at, delivered, failed }) =>
      transaction(async (query) => {
        const counted = Number(failed?.isAttempt ?? true);
        // Nobody may erase or remove the job between the question whether it is kept and the end of this step. Jobs
        // before lanes, as in the steps of a job, to avoid deadlocks.
        if (failed?.retryAt === null) await query("holdJobOfItem", failed.id);
        const [row] = await query<{ worker: string | null }>("lockLane", lane);
        if (row === undefined) return;
        await query("deleteItems", [...delivered], lane);
        if (row.worker !== worker) {
          await reschedule(query, lane);
          return;
        }
        if (failed !== undefined && failed.retryAt === null) {
          // If the job has been erased or is gone, nothing is kept, so there is no item to give up.
          await query("forgetItem", failed.id, lane);
          await query("giveUpItem", failed.id, lane, failed.at, failed.error, counted);
        } else if (failed !== undefined) {
          await query("delayItem", failed.id, lane, failed.retryAt, failed.error, counted);
        }
        await free(query, lane, at);
      }),

    async listHolders() {
      return (await query<{ worker: string }>("laneHolders")).map(({ worker }) => worker);
    },

    releaseLanes: (worker) =>
      transaction(async (query) => {
        for (const { name } of await query<{ name: string }>("lockLanesOfWorker", worker)) await free(query, name);
      }),

    async nextDue() {
      return (await query<{ at: number | null }>("nextDue"))[0]?.at ?? null;
    },

    async listFailed({ team, jobId, skip = 0, limit }) {
      return (await query<ItemRow>("failedItems", team, jobId ?? null, limit ?? null, skip)).map(toFailedItem);
    },

    redeliver: (id, team) =>
      transaction(async (query) => {
        const [item] = await query<{ lane: string; created_at: number }>("failedItem", id, team);
        if (item === undefined) return false;
        await query("lockLanes", [item.lane], [item.created_at]);
        return (await query("redeliverItem", id, team)).length === 1;
      }),
  };
}

/** An item, and the place of the page to whose document it refers, if it wants that. */
export interface ItemOfPage {
  readonly item: OutboxItem;
  readonly place: number | null;
}

export const ofNoPage = (item: OutboxItem): ItemOfPage => ({ item, place: null });

/**
 * Adds items within a step.
 *
 * @param job of the pages
 */
export async function insertItems(
  query: Query,
  items: readonly ItemOfPage[],
  job?: { readonly number: number },
): Promise<void> {
  if (items.length === 0) return;
  const lanes = new Map<string, number>();
  for (const { item } of items) if (!lanes.has(item.lane)) lanes.set(item.lane, item.createdAt);
  // The lanes first, and locked, so that items are numbered in the order in which others will see them. If all items of
  // a lane existed already, it may be empty, and is removed when it is taken.
  await query("lockLanes", [...lanes.keys()], [...lanes.values()]);
  await query(
    "insertItems",
    job?.number ?? null,
    items.map(({ item }) => item.id),
    items.map(({ item }) => item.team),
    items.map(({ item }) => item.jobId),
    items.map(({ item }) => item.target),
    items.map(({ item }) => item.lane),
    items.map(({ item }) => item.payload),
    items.map(({ item }) => item.withDocument ?? null),
    items.map(({ place }) => place),
    items.map(({ item }) => item.createdAt),
  );
}

/** Its next turn comes after those of lanes that were due by `at`. */
async function free(query: Query, lane: string, at = 0): Promise<void> {
  await query("freeLane", lane, at);
  await reschedule(query, lane);
}

/** Sets when the lane can be taken next; an empty lane is removed. */
async function reschedule(query: Query, lane: string): Promise<void> {
  const [first] = await query<{ due_at: number }>("firstDue", lane);
  if (first === undefined) await query("deleteLane", lane);
  else await query("rescheduleLane", lane, first.due_at);
}

function toFailedItem({ id, job_id, target, payload, attempts, error, failed_at }: ItemRow): FailedItem {
  return { id, jobId: job_id, target, payload, attempts, error, failedAt: failed_at };
}
