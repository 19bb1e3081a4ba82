/** The thread that moves the write-ahead log into the database file: it waits for the disk, so that nobody else must. */

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface CheckpointRequest {
  readonly mode: "PASSIVE" | "RESTART" | "TRUNCATE";
}

export interface CheckpointReply {
  /** True when readers or writers stood in the way. */
  readonly blocked: boolean;
  /** Pages in the log. */
  readonly pages: number;
}

const { path } = workerData as { path: string };
const database = new DatabaseSync(path, { timeout: 1000 });
database.exec("PRAGMA synchronous = NORMAL");

parentPort?.on("message", ({ mode }: CheckpointRequest) => {
  // The other modes keep writers waiting: so most of the log is moved before, while they write on.
  if (mode !== "PASSIVE") moveLog("PASSIVE");
  parentPort?.postMessage(moveLog(mode));
});

/** What could not be moved now stays in the log. */
function moveLog(mode: CheckpointRequest["mode"]): CheckpointReply {
  try {
    const { busy, log } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number; log: number };
    return { blocked: busy !== 0, pages: log };
  } catch {
    return { blocked: true, pages: 0 };
  }
}
