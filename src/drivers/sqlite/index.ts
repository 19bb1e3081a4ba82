/** The storage in an SQLite file, through Node's own `node:sqlite`: `crawlcore/sqlite`. */

import { RequestError } from "../../errors.ts";
import type { Storage } from "../../ports/storage.ts";
import { sqliteCache } from "./cache.ts";
import { createCheckpointer, noCheckpointer } from "./checkpointer.ts";
import { createCommitter } from "./committer.ts";
import { type Database, inMemory, openDatabase } from "./database.ts";
import { sqliteJobs } from "./jobs.ts";
import { sqliteLedger } from "./ledger.ts";
import { sqliteOutbox } from "./outbox.ts";
import { createRemoval } from "./removal.ts";
import { sqliteSearchIndex } from "./search-index.ts";

export interface SqliteStorageOptions {
  /** The database file; made when it is not there, its folder is not. `:memory:` keeps everything in memory. */
  readonly path: string;
  /** Most bytes of cached pages. Default: 256 MiB. */
  readonly maxCacheBytes?: number;
  /** Most bytes of searchable text. Default: 256 MiB. */
  readonly maxIndexBytes?: number;
}

/**
 * A {@link Storage} in one SQLite file (with its log beside it: `-wal`, `-shm`). Several engines and processes of one
 * machine may share the file. It is opened at the first use; what goes wrong then rejects that call.
 *
 * What a call wrote when its promise resolved survives a kill of the process. After a power cut the last commits may
 * be missing, but the file is sound.
 *
 * @example
 * const storage = sqliteStorage({ path: "crawl.db" });
 * const job = await storage.jobs.getJob("job-1", Date.now()); // null: there is none yet
 * await storage.close();
 */
export function sqliteStorage(options: SqliteStorageOptions): Storage {
  const { path, maxCacheBytes = 256 * 1024 * 1024, maxIndexBytes = 256 * 1024 * 1024 } = options;
  if (typeof path !== "string" || path === "") {
    throw new RequestError("BAD_REQUEST", "sqliteStorage needs `path`: the name of the database file.");
  }
  let database: Database | null = null;
  let closing: Promise<void> | null = null;
  const checkpointer = path === inMemory ? noCheckpointer : createCheckpointer(path);

  function open(): Database {
    database ??= openDatabase(path);
    return database;
  }

  const committer = createCommitter(open, () => checkpointer.noteCommit(open()));
  const removal = createRemoval(committer, checkpointer);

  async function close(): Promise<void> {
    await committer.drain();
    await checkpointer.close();
    // Another engine may have gone on meanwhile.
    await committer.drain();
    database?.close();
    database = null;
  }

  return {
    jobs: sqliteJobs(committer, removal),
    ledger: sqliteLedger(committer),
    outbox: sqliteOutbox(committer),
    cache: sqliteCache(committer, maxCacheBytes),
    index: sqliteSearchIndex(committer, maxIndexBytes),
    sweep: removal.sweep,
    close() {
      closing ??= close().finally(() => {
        closing = null;
      });
      return closing;
    },
  };
}
