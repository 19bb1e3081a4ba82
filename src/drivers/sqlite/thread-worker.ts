/**
 * The thread of a storage, which waits for the disk so that nobody else has to. It moves the write-ahead log into the
 * database file, and reads and writes the file of cached bodies.
 */

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CachedPage } from "../../ports/page-cache.ts";
import { type CacheEntry, type CacheFileOptions, type CacheKey, cacheFile } from "./cache-file.ts";

export interface ThreadData {
  readonly path: string;
  readonly cache: CacheFileOptions;
}

/** The requests that the thread answers. */
export interface ThreadCalls {
  readonly checkpoint: { readonly argument: CheckpointMode; readonly value: CheckpointReply };
  readonly put: { readonly argument: readonly CacheEntry[]; readonly value: undefined };
  readonly get: { readonly argument: CacheKey; readonly value: CachedPage | null };
  readonly removeOld: { readonly argument: number; readonly value: undefined };
  /** Closes the file of cached bodies. */
  readonly close: { readonly argument: null; readonly value: undefined };
}

export type CheckpointMode = "PASSIVE" | "RESTART" | "TRUNCATE";

export interface CheckpointReply {
  /** True if readers or writers blocked it. */
  readonly blocked: boolean;
  /** Pages in the log. */
  readonly pages: number;
}

export type ThreadRequest = {
  [Name in keyof ThreadCalls]: { readonly id: number; readonly name: Name; readonly argument: unknown };
}[keyof ThreadCalls];

export type ThreadAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly error: unknown; readonly codes: ErrorCodes }
);

/** What says why something failed, and is lost when an error is copied for another thread. */
interface ErrorCodes {
  readonly code?: unknown;
  readonly errcode?: unknown;
}

const { path, cache: options } = workerData as ThreadData;
const cache = cacheFile(options);
let database: DatabaseSync | undefined;

const work: Record<keyof ThreadCalls, (argument: never) => unknown> = {
  checkpoint,
  put,
  get: (wanted: CacheKey) => cache.get(wanted),
  removeOld: (now: number) => cache.removeOld(now),
  close: () => cache.close(),
};

parentPort?.on("message", ({ id, name, argument }: ThreadRequest) => {
  let answer: ThreadAnswer;
  try {
    answer = { id, value: work[name](argument as never) };
  } catch (error) {
    const { code, errcode } = error as ErrorCodes;
    answer = { id, error, codes: { code, errcode } };
  }
  parentPort?.postMessage(answer);
});

function put(entries: readonly CacheEntry[]): void {
  try {
    cache.put(entries);
  } finally {
    // Freed at once: this thread allocates so little else that its garbage is seldom collected.
    for (const { body } of entries) if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  }
}

/** How much of the log the last checkpoint found or left in the database file. */
let movedBefore = -1;

/**
 * The modes other than `PASSIVE` keep writers waiting, for as long as somebody reads what was there before. So most of
 * the log is moved before that, while they continue to write; and if a reader has held it up since the last checkpoint,
 * for example to copy the database, nobody is made to wait for that one. Others will have read soon. They must be waited
 * for: where many read for a short time, one of them is always a little behind, and the log would only grow.
 */
function checkpoint(mode: CheckpointMode): CheckpointReply {
  const { moved, blocked, pages } = moveLog("PASSIVE");
  const isHeldUp = moved < pages;
  const isHeldUpForLong = isHeldUp && moved === movedBefore;
  movedBefore = moved;
  if (mode === "PASSIVE" || isHeldUpForLong) return { blocked: blocked || isHeldUp, pages };
  const { moved: movedNow, ...reply } = moveLog(mode);
  movedBefore = movedNow;
  return reply;
}

/** What could not be moved now stays in the log. */
function moveLog(mode: CheckpointMode): CheckpointReply & { readonly moved: number } {
  try {
    if (database === undefined) {
      database = new DatabaseSync(path, { timeout: 1000 });
      database.exec("PRAGMA synchronous = NORMAL");
    }
    const { busy, log, checkpointed } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as {
      busy: number;
      log: number;
      checkpointed: number;
    };
    return { blocked: busy !== 0, pages: log, moved: checkpointed };
  } catch {
    return { blocked: true, pages: 0, moved: 0 };
  }
}
