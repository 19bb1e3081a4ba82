/** The thread that moves the write-ahead log into the database file: it waits for the disk, so that nobody else must. */

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface CheckpointRequest {
  readonly mode: "PASSIVE" | "RESTART" | "TRUNCATE";
}

export interface CheckpointReply {
  /** True when readers or writers stood in the way. */
  readonly blocked: boolean;
}

const { path } = workerData as { path: string };
const database = new DatabaseSync(path, { timeout: 1000 });
database.exec("PRAGMA synchronous = NORMAL");

parentPort?.on("message", ({ mode }: CheckpointRequest) => {
  parentPort?.postMessage({ blocked: !moveLog(mode) } satisfies CheckpointReply);
});

/** False when it could not be finished now; the log keeps what was not moved. */
function moveLog(mode: CheckpointRequest["mode"]): boolean {
  try {
    return database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()?.["busy"] === 0;
  } catch {
    return false;
  }
}
