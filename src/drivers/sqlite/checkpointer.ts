/** Decides when the write-ahead log is moved into the database file, and has a thread do it. */

import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "./database.ts";
import type { Thread } from "./thread.ts";
import type { CheckpointMode, CheckpointReply } from "./thread-worker.ts";

export interface Checkpointer {
  /** Called after each commit. */
  noteCommit(database: Database): void;
  /** Moves the whole log into the file and empties it; gives up if another process keeps reading. */
  truncate(): Promise<void>;
  close(): Promise<void>;
}

/** The log is moved at most this often, and only after this many commits. */
const checkpointEveryMs = 250;
const commitsPerCheckpoint = 30;
/**
 * From this many pages on, writers wait until the log is restarted; otherwise it would grow for as long as they keep
 * writing. The larger the log, the longer they wait: the limit is low enough for pages in progress not to notice.
 */
const pagesToRestart = 2048;
const truncateTries = 200;
const truncateRetryMs = 100;

export function createCheckpointer(thread: Thread): Checkpointer {
  let inline = false;
  let asked: Promise<CheckpointReply | null> | null = null;
  let lastAt = performance.now();
  let commits = 0;
  /** The mode of the next checkpoint after a commit. */
  let nextMode: CheckpointMode = "PASSIVE";

  /** Sends one request at a time; resolves with null if there is no working thread. */
  async function ask(mode: CheckpointMode): Promise<CheckpointReply | null> {
    while (asked !== null) await asked;
    asked = thread.ask("checkpoint", mode).then((answer) => answer?.value ?? null);
    try {
      return await asked;
    } finally {
      asked = null;
    }
  }

  return {
    noteCommit(database) {
      if (thread.hasFailed) {
        // Without a thread, SQLite moves the log within a commit.
        if (!inline) database.execute("PRAGMA wal_autocheckpoint = 1000");
        inline = true;
        return;
      }
      commits += 1;
      if (asked !== null || commits < commitsPerCheckpoint || performance.now() - lastAt < checkpointEveryMs) return;
      commits = 0;
      lastAt = performance.now();
      void ask(nextMode).then((reply) => {
        nextMode = reply !== null && reply.pages > pagesToRestart ? "RESTART" : "PASSIVE";
      });
    },

    async truncate() {
      for (let tries = 0; tries < truncateTries; tries += 1) {
        const reply = await ask("TRUNCATE");
        if (reply === null || !reply.blocked) return;
        await delay(truncateRetryMs);
      }
    },

    async close() {
      // If the thread was never started, there was little to write: closing the last connection moves the log.
      if (thread.isRunning) await ask("TRUNCATE");
    },
  };
}

/** For a database in memory, which has no log. */
export const noCheckpointer: Checkpointer = {
  noteCommit() {},
  async truncate() {},
  async close() {},
};
