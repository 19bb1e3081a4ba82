/** Decides when the write-ahead log is moved into the database file, and has a thread do it. */

import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "./database.ts";
import type { Thread } from "./thread.ts";
import type { CheckpointMode, CheckpointReply } from "./thread-worker.ts";

export interface Checkpointer {
  /** Called after each commit. */
  noteCommit(database: Database): void;
  /** Moves all of the log and empties it; gives up when another process reads on and on. */
  truncate(): Promise<void>;
  close(): Promise<void>;
}

/** The log is moved at most this often, and only after this many commits. */
const checkpointEveryMs = 250;
const commitsPerCheckpoint = 30;
/**
 * From this many pages in the log writers wait until it starts anew, or it would grow as long as they keep writing. They
 * wait the longer the larger it is: so little that the pages at work do not notice.
 */
const pagesToRestart = 2048;
const truncateTries = 20;
const truncateRetryMs = 100;

export function createCheckpointer(thread: Thread): Checkpointer {
  let inline = false;
  let asked: Promise<CheckpointReply | null> | null = null;
  let lastAt = performance.now();
  let commits = 0;
  /** Of the next checkpoint after a commit. */
  let nextMode: CheckpointMode = "PASSIVE";

  /** One request at a time; null when the thread cannot work. */
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
        // Without a thread SQLite does it within a commit.
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
      // Without the thread there was little to write: closing the last connection moves it.
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
