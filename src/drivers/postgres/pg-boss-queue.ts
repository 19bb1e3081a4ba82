/** The job queue on pg-boss, with which engines on several machines share the work. */

import { setTimeout as delay } from "node:timers/promises";
import { RequestError } from "../../errors.ts";
import type { JobQueue, Task } from "../../ports/job-queue.ts";
import { endlessWait, givenOptions, missingText, readBounds } from "../read-bounds.ts";
import { onceConnected } from "./again.ts";
import { createSharedBoss, type PgBoss, queueName } from "./shared-boss.ts";

/** Where the queue is, and how often it is polled. */
export interface PgBossQueueOptions {
  /** Address of the database: `postgres://user:password@host:5432/database`. Needs the package `pg-boss`. */
  readonly connectionString: string;
  /**
   * The database schema of pg-boss's tables, which holds no others; it is created if it does not exist.
   * @default "crawlcore_queue"
   */
  readonly schema?: string | undefined;
  /** Milliseconds between two polls while the queue is empty, at most 2147483647. @default 500 */
  readonly pollEveryMs?: number | undefined;
}

const tasksPerLook = 20;
/** How often the queue is told which tasks are in progress; without that, it delivers them again. */
const touchEveryMs = 6000;
/** How long connections are kept open for the next push while nobody consumes. */
const restAfterMs = 5000;

/**
 * A {@link JobQueue} in a Postgres database, on pg-boss, for engines on several machines.
 *
 * @throws RequestError `BAD_REQUEST` when options are invalid
 *
 * @example
 * const queue = pgBossQueue({ connectionString: "postgres://localhost/crawls" });
 */
export function pgBossQueue(options: PgBossQueueOptions): JobQueue {
  const given = givenOptions("pgBossQueue", options);
  const { connectionString = "", schema = "crawlcore_queue" } = given;
  const faults = missingText("connectionString", connectionString, "the address of the database");
  // What pg-boss takes without quotes; anything else it would refuse only when the first job starts.
  if (typeof schema !== "string" || !/^[a-z_]\w{0,49}$/i.test(schema)) {
    faults.push({ path: ["schema"], message: "must be a plain name of at most 50 characters" });
  }
  faults.push(...endlessWait("pollEveryMs", given.pollEveryMs));
  const { pollEveryMs } = readBounds(
    "pgBossQueue",
    given,
    { pollEveryMs: 500 },
    ["connectionString", "schema"],
    faults,
  );
  const boss = createSharedBoss(connectionString, schema);
  const closing = new AbortController();
  const consuming = new Set<Promise<void>>();

  return {
    async push({ jobId, team }) {
      if (closing.signal.aborted) throw new RequestError("ENGINE_CLOSED", "The job queue is closed.");
      await boss.use((queue) => onceConnected(() => queue.send(queueName, { jobId, team })), restAfterMs);
    },

    async consume(work, signal) {
      const stop = AbortSignal.any([signal, closing.signal]);
      if (stop.aborted) return;
      const run = boss.use((queue) => consume(queue, work, { pollEveryMs, stop }), 0);
      consuming.add(run);
      try {
        await run;
      } finally {
        consuming.delete(run);
      }
    },

    async close() {
      closing.abort();
      await Promise.allSettled(consuming);
      await boss.end();
    },
  };
}

/** Takes tasks until `stop` fires; resolves once the work on them has ended. */
async function consume(
  queue: PgBoss,
  work: (task: Task) => Promise<void>,
  { pollEveryMs, stop }: { readonly pollEveryMs: number; readonly stop: AbortSignal },
): Promise<void> {
  /** With the ids of their tasks. A task that was taken for lost comes again, also while it is at work. */
  const running = new Map<Promise<void>, string>();

  function begin(id: string, task: Task): void {
    const run: Promise<void> = (async () => {
      // Handed out while the signal fired: it goes back.
      stop.throwIfAborted();
      await work(task);
    })()
      .then(
        () => onceConnected(() => queue.complete(queueName, id)),
        () => onceConnected(() => queue.fail(queueName, id)),
      )
      // What could not be noted is delivered again, which does no harm.
      .catch(() => {})
      .then(() => void running.delete(run));
    running.set(run, id);
  }

  const touching = setInterval(() => {
    if (running.size > 0) queue.touch(queueName, [...running.values()]).catch(() => {});
  }, touchEveryMs);
  try {
    while (!stop.aborted) {
      // A database that is away for a while is asked again.
      const jobs = await queue.fetch<Task>(queueName, { batchSize: tasksPerLook }).catch(() => []);
      for (const { id, data } of jobs) begin(id, data);
      if (jobs.length < tasksPerLook) await delay(pollEveryMs, undefined, { signal: stop }).catch(() => {});
    }
    await Promise.all(running.keys());
  } finally {
    clearInterval(touching);
  }
}
