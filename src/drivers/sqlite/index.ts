/** The storage in an SQLite file, through Node's own `node:sqlite`: `crawlcore/sqlite`. */

import { resolve } from "node:path";
import type { Storage } from "../../ports/storage.ts";
import { earliest } from "../earliest.ts";
import { givenOptions, missingText, readBounds } from "../read-bounds.ts";
import { sqliteCache } from "./cache.ts";
import { createCheckpointer, noCheckpointer } from "./checkpointer.ts";
import { createCommitter } from "./committer.ts";
import { type Database, openDatabase } from "./database.ts";
import { inMemory } from "./in-memory.ts";
import { sqliteJobs } from "./jobs.ts";
import { sqliteLedger } from "./ledger.ts";
import { type OpenFile, openFile } from "./open-file.ts";
import { sqliteOutbox } from "./outbox.ts";
import { createRemoval } from "./removal.ts";
import { sqliteSearchIndex } from "./search-index.ts";
import { createThread } from "./thread.ts";
import { sqliteVersions } from "./versions.ts";

/** Where the data is, and how much is kept. */
export interface SqliteStorageOptions {
  /**
   * Path of the database file, relative to the working directory at the time of the call. The file is created if it
   * does not exist; its folder must exist. `:memory:` keeps everything in memory.
   */
  readonly path: string;
  /** Most bytes of cached pages. @default 268435456 (256 MiB) */
  readonly maxCacheBytes?: number | undefined;
  /**
   * Milliseconds after which a cached page is dropped, even if a request's `maxAge` is longer.
   * @default 2592000000 (30 days)
   */
  readonly maxCacheAgeMs?: number | undefined;
  /** Most bytes of searchable text. @default 268435456 (256 MiB) */
  readonly maxIndexBytes?: number | undefined;
}

const defaultBounds = {
  maxCacheBytes: 256 * 1024 * 1024,
  maxCacheAgeMs: 30 * 24 * 60 * 60 * 1000,
  maxIndexBytes: 256 * 1024 * 1024,
};

/**
 * A {@link Storage} in a SQLite file (with its log beside it: `-wal`, `-shm`), with the page cache in a second file
 * (`-cache`), which may be deleted while no engine is running. Several engines and processes on one machine may share
 * them. The files are opened at the first use; if that fails, that call rejects. If the database is deleted or replaced
 * while it is open, calls reject until the storage is closed.
 *
 * What a call has written when its promise resolves survives a kill of the process, except for the last cached pages.
 * After a power cut the last commits may be missing, but the database is sound.
 *
 * @throws RequestError `BAD_REQUEST` when options are invalid
 *
 * @example
 * const storage = sqliteStorage({ path: "crawl.db" });
 * const job = await storage.jobs.getJob("job-1", Date.now()); // null: there is none yet
 * await storage.close();
 */
export function sqliteStorage(options: SqliteStorageOptions): Storage {
  const given = givenOptions("sqliteStorage", options);
  const { path: name = "" } = given;
  const faults = missingText("path", name, "the name of the database file");
  const { maxCacheBytes, maxCacheAgeMs, maxIndexBytes } = readBounds(
    "sqliteStorage",
    given,
    defaultBounds,
    ["path"],
    faults,
  );
  // The file is opened later, and again after a close; if the program has changed its working directory by then, it is
  // still the same file.
  const path = name === inMemory ? name : resolve(name);
  let database: Database | null = null;
  let file: OpenFile | undefined;
  let closing: Promise<void> | null = null;
  const cacheOptions = {
    path: path === inMemory ? inMemory : `${path}-cache`,
    maxBytes: maxCacheBytes,
    maxAgeMs: maxCacheAgeMs,
  };
  const thread = path === inMemory ? undefined : createThread({ path, cache: cacheOptions });
  const checkpointer = thread === undefined ? noCheckpointer : createCheckpointer(thread);

  function open(): Database {
    if (database === null) {
      database = openDatabase(path);
      if (path !== inMemory) file = openFile(path);
    }
    file?.check();
    return database;
  }

  const committer = createCommitter(open, checkpointer.noteCommit);
  const removal = createRemoval(committer, checkpointer);

  const cache = sqliteCache(cacheOptions, thread);
  const versions = sqliteVersions(committer);

  async function sweep(now: number): ReturnType<Storage["sweep"]> {
    const jobs = await removal.sweep(now);
    const pages = await versions.sweep(now);
    await cache.removeOld(now);
    // The log still holds what was deleted.
    if (pages.removed) await checkpointer.truncate();
    return { removedJobs: jobs.removedJobs, nextExpiry: earliest(jobs.nextExpiry, pages.nextExpiry) };
  }

  async function close(): Promise<void> {
    await committer.drain();
    await checkpointer.close();
    await cache.close();
    await thread?.end();
    // Another engine may have gone on meanwhile.
    await committer.drain();
    database?.close();
    database = null;
  }

  return {
    jobs: sqliteJobs(committer, removal),
    ledger: sqliteLedger(committer),
    outbox: sqliteOutbox(committer, checkpointer),
    cache,
    versions,
    index: sqliteSearchIndex(committer, maxIndexBytes),
    sweep,
    close() {
      closing ??= close().finally(() => {
        closing = null;
      });
      return closing;
    },
  };
}
