/** Decides when the write-ahead log is moved into the database file, and has a thread do it. */

import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { CheckpointReply, CheckpointRequest } from "./checkpoint-worker.ts";
import type { Database } from "./database.ts";

export interface Checkpointer {
  /** Called after each commit. */
  noteCommit(database: Database): void;
  /** Moves all of the log and empties it; gives up when another process reads on and on. */
  truncate(): Promise<void>;
  close(): Promise<void>;
}

/** The log is moved whenever it has grown by this much. */
const bytesPerCheckpoint = 4 * 1024 * 1024;
/** From here on writers wait until the log starts anew, or it would grow as long as they keep writing. */
const bytesToRestart = 32 * 1024 * 1024;
const truncateTries = 20;
const truncateRetryMs = 100;

export function createCheckpointer(path: string): Checkpointer {
  const log = `${path}-wal`;
  let worker: Worker | null = null;
  let failed = false;
  let asked: Promise<CheckpointReply | null> | null = null;
  let nextAt = bytesPerCheckpoint;

  function logSize(): number {
    return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  }

  function start(): Worker {
    // Beside this file, and like it either source or built.
    const file = new URL(`./checkpoint-worker${import.meta.url.slice(-3)}`, import.meta.url);
    const started = new Worker(file, { workerData: { path }, execArgv: [], name: "crawlcore checkpoint" });
    const fail = () => {
      failed = true;
      worker = null;
    };
    started.on("error", fail).on("exit", fail).unref();
    return started;
  }

  /** One request at a time; null when the thread cannot work. */
  async function ask(request: CheckpointRequest): Promise<CheckpointReply | null> {
    while (asked !== null) await asked;
    asked = exchange(request);
    try {
      return await asked;
    } finally {
      asked = null;
    }
  }

  function exchange(request: CheckpointRequest): Promise<CheckpointReply | null> {
    return new Promise((resolve) => {
      if (failed) {
        resolve(null);
        return;
      }
      worker ??= start();
      const current = worker;
      const fail = () => settle(null);
      const settle = (reply: CheckpointReply | null) => {
        current.off("message", settle).off("error", fail).off("exit", fail);
        current.unref();
        resolve(reply);
      };
      current.on("message", settle).on("error", fail).on("exit", fail);
      // Referenced only while it works, so that the thread never keeps a process alive.
      current.ref();
      current.postMessage(request);
    });
  }

  return {
    noteCommit(database) {
      if (failed) {
        // Without a thread SQLite does it within a commit.
        database.execute("PRAGMA wal_autocheckpoint = 1000");
        return;
      }
      if (asked !== null) return;
      const size = logSize();
      if (size < nextAt) {
        if (size < bytesPerCheckpoint) nextAt = bytesPerCheckpoint;
        return;
      }
      nextAt = size + bytesPerCheckpoint;
      void ask({ mode: size < bytesToRestart ? "PASSIVE" : "RESTART" });
    },

    async truncate() {
      for (let tries = 0; tries < truncateTries; tries += 1) {
        const reply = await ask({ mode: "TRUNCATE" });
        if (reply === null || !reply.blocked) return;
        await delay(truncateRetryMs);
      }
    },

    async close() {
      // A small log is moved when the last connection closes.
      if (logSize() >= bytesPerCheckpoint) await ask({ mode: "TRUNCATE" });
      while (asked !== null) await asked;
      await worker?.terminate();
    },
  };
}

/** For a database in memory, which has no log. */
export const noCheckpointer: Checkpointer = {
  noteCommit() {},
  async truncate() {},
  async close() {},
};
