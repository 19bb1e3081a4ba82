/** Decides when the write-ahead log is moved into the database file, and has a thread do it. */

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

export function createCheckpointer(path: string): Checkpointer {
  let worker: Worker | null = null;
  let failed = false;
  let inline = false;
  let asked: Promise<CheckpointReply | null> | null = null;
  let lastAt = performance.now();
  let commits = 0;
  let mode: CheckpointRequest["mode"] = "PASSIVE";

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
      let current: Worker;
      try {
        current = worker ?? start();
      } catch {
        // The host may forbid threads.
        failed = true;
        resolve(null);
        return;
      }
      worker = current;
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
        if (!inline) database.execute("PRAGMA wal_autocheckpoint = 1000");
        inline = true;
        return;
      }
      commits += 1;
      if (asked !== null || commits < commitsPerCheckpoint || performance.now() - lastAt < checkpointEveryMs) return;
      commits = 0;
      lastAt = performance.now();
      void ask({ mode }).then((reply) => {
        mode = reply !== null && reply.pages > pagesToRestart ? "RESTART" : "PASSIVE";
      });
    },

    async truncate() {
      for (let tries = 0; tries < truncateTries; tries += 1) {
        const reply = await ask({ mode: "TRUNCATE" });
        if (reply === null || !reply.blocked) return;
        await delay(truncateRetryMs);
      }
    },

    async close() {
      // Without the thread there was little to write: closing the last connection moves it.
      if (worker === null) return;
      await ask({ mode: "TRUNCATE" });
      const ending = worker;
      worker = null;
      ending.removeAllListeners();
      await ending.terminate();
    },
  };
}

/** For a database in memory, which has no log. */
export const noCheckpointer: Checkpointer = {
  noteCommit() {},
  async truncate() {},
  async close() {},
};
