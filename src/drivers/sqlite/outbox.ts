/** The outbox: items in lanes, and for each lane when it can be taken next. */

import type { FailedItem, LaneReport, Outbox, OutboxItem } from "../../ports/outbox.ts";
import { dueItems, type WaitingItem } from "../waiting-items.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";

interface FailedRow {
  readonly id: string;
  readonly job_id: string | null;
  readonly target: string;
  readonly payload: string;
  readonly attempts: number;
  readonly error: string;
  readonly failed_at: number;
}

export function sqliteOutbox(committer: Committer, checkpointer: Checkpointer): Outbox {
  return {
    add: (items) => committer.write((database) => insertItems(database, items, null)),

    take: (request) =>
      committer.write((database) => {
        const { worker, now, leaseUntil, lanes, batch } = request;
        return database.all<{ name: string }>("availableLanes", now, lanes).map(({ name }) => {
          const count = affordable(database.all<{ bytes: number }>("waitingSizes", name, batch));
          const items = dueItems(database.all<WaitingItem>("waitingItems", name, count), name, now);
          database.run("takeLane", worker, leaseUntil, leaseUntil, name);
          return { lane: name, items };
        });
      }),

    async settle({ lane, worker }, { at = 0, delivered, failed }) {
      const leaves = await committer.write((database) => {
        const jobs = new Set<string>();
        const holds = database.get<{ worker: string | null }>("laneWorker", lane)?.worker === worker;
        for (const id of delivered) addJob(jobs, database.get("deleteItem", id, lane));
        if (holds) {
          if (failed !== undefined && failed.retryAt === null) {
            addJob(jobs, giveUp(database, lane, failed));
          } else if (failed !== undefined) {
            const counted = Number(failed.isAttempt ?? true);
            database.run("delayItem", counted, failed.retryAt, failed.error, failed.id, lane);
          }
          database.run("freeLane", at, lane);
        }
        const isEmpty = reschedule(database, lane);
        return isEmpty && [...jobs].some((job) => database.get("jobIsKept", job) === undefined);
      });
      // Data that was erased or has expired was in the outbox until now, and is still in the log.
      if (leaves) await checkpointer.truncate();
    },

    listHolders: () =>
      committer.read((database) => database.all<{ worker: string }>("laneHolders").map(({ worker }) => worker)),

    releaseLanes: (worker) =>
      committer.write((database) => {
        for (const { name } of database.all<{ name: string }>("lanesOfWorker", worker)) {
          database.run("freeLane", 0, name);
          reschedule(database, name);
        }
      }),

    nextDue: () => committer.read((database) => database.get<{ at: number | null }>("nextDue")?.at ?? null),

    listFailed: ({ team, jobId, skip = 0, limit = -1 }) =>
      committer.read((database) =>
        database.all<FailedRow>("failedItems", team, jobId ?? null, limit, skip).map(toFailedItem),
      ),

    redeliver: (id, team) =>
      committer.write((database) => {
        const item = database.get<{ lane: string; due_at: number }>("redeliverItem", id, team);
        if (item !== undefined) database.run("insertLane", item.lane, item.due_at);
        return item !== undefined;
      }),
  };
}

/** Adds items within a step; `document` is the stored document for those that want it. */
export function insertItems(database: Database, items: readonly OutboxItem[], document: number | null): void {
  for (const item of items) {
    const inserted = database.run(
      "insertItem",
      item.id,
      item.team,
      item.jobId,
      item.target,
      item.lane,
      item.payload,
      item.withDocument === undefined ? null : Number(item.withDocument),
      item.withDocument === true ? document : null,
      item.createdAt,
      item.createdAt,
    );
    if (inserted === 1) database.run("insertLane", item.lane, item.createdAt);
  }
}

/** Most bytes of one lane's items in memory at once. */
const laneBytes = 4_000_000;

/** How many of the first items may be taken together; at least one. */
function affordable(items: readonly { readonly bytes: number }[]): number {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += item.bytes;
    return bytes > laneBytes;
  });
  return end === -1 ? items.length : Math.max(1, end);
}

type JobOfItem = { readonly job_id: string | null } | undefined;

function addJob(jobs: Set<string>, item: JobOfItem): void {
  if (item !== undefined && item.job_id !== null) jobs.add(item.job_id);
}

/**
 * Keeps the item as failed, unless its job has meanwhile been erased or removed; then the item is deleted and its job
 * returned.
 */
function giveUp(database: Database, lane: string, failed: NonNullable<LaneReport["failed"]>): JobOfItem {
  const item = database.get<{ job_id: string | null }>("jobOfItem", failed.id, lane);
  const jobId = item?.job_id ?? null;
  if (jobId !== null && database.get("jobIsKept", jobId) === undefined)
    return database.get("deleteItem", failed.id, lane);
  database.run("giveUpItem", Number(failed.isAttempt ?? true), failed.at, failed.error, failed.id, lane);
  return undefined;
}

/** Sets when the lane can be taken next; an empty lane is removed, and true returned. */
function reschedule(database: Database, lane: string): boolean {
  const first = database.get<{ due_at: number }>("firstDue", lane);
  if (first === undefined) database.run("deleteLane", lane);
  else database.run("rescheduleLane", first.due_at, lane);
  return first === undefined;
}

function toFailedItem({ job_id, failed_at, ...rest }: FailedRow): FailedItem {
  return { ...rest, jobId: job_id, failedAt: failed_at };
}
