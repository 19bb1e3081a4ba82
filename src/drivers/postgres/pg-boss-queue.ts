/** The job queue on pg-boss, with which engines on several machines share the work. */

import { setTimeout as delay } from "node:timers/promises";
import { RequestError } from "../../errors.ts";
import type { JobQueue, Task } from "../../ports/job-queue.ts";
import { readBounds } from "../read-bounds.ts";

/** Where the queue is, and how often it is polled. */
export interface PgBossQueueOptions {
  /** Address of the database: `postgres://user:password@host:5432/database`. Needs the package `pg-boss`. */
  readonly connectionString: string;
  /** The database schema of pg-boss's tables; it is created if it does not exist. @default "crawlcore_queue" */
  readonly schema?: string | undefined;
  /** Milliseconds between two polls while the queue is empty. @default 500 */
  readonly pollEveryMs?: number | undefined;
}

type PgBoss = import("pg-boss").PgBoss;

const queueName = "crawlcore";
const tasksPerLook = 20;
/**
 * A task whose consumer has died is delivered again after this time, and what pg-boss takes to notice; a live consumer
 * sends heartbeats more often.
 */
const heartbeatSeconds = 20;
const touchEveryMs = 6000;
/** How often the engines on a queue look, in turns, for heartbeats that failed to come. */
const lookForDeadEvery = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
/** How long connections are kept open for the next push while nobody consumes. */
const restAfterMs = 5000;
const insufficientPrivilege = "42501";

/**
 * A {@link JobQueue} in a Postgres database, on pg-boss, for engines on several machines.
 *
 * @throws RequestError `BAD_REQUEST` when options are invalid
 *
 * @example
 * const queue = pgBossQueue({ connectionString: "postgres://localhost/crawls" });
 */
export function pgBossQueue(options: PgBossQueueOptions): JobQueue {
  const { connectionString = "", schema = "crawlcore_queue", ...given }: Partial<PgBossQueueOptions> = options ?? {};
  if (typeof connectionString !== "string" || connectionString === "") {
    throw new RequestError("BAD_REQUEST", "pgBossQueue needs `connectionString`: where the database is.");
  }
  const { pollEveryMs } = readBounds("pgBossQueue", given, { pollEveryMs: 500 });
  const closing = new AbortController();
  const consuming = new Set<Promise<void>>();
  let started: Promise<PgBoss> | null = null;
  let users = 0;
  let resting: NodeJS.Timeout | undefined;

  /**
   * Engines that share a queue are closed one by one, and none of them closes the queue. So its timers and connections,
   * which would keep the process alive, end with its last consumer or, in a process that only accepts jobs, soon after
   * the last push.
   */
  async function use<Value>(act: (queue: PgBoss) => Promise<Value>, restAfterMs: number): Promise<Value> {
    users += 1;
    clearTimeout(resting);
    try {
      return await act(await boss());
    } finally {
      users -= 1;
      if (users === 0 && restAfterMs === 0) await rest();
      else if (users === 0) resting = setTimeout(rest, restAfterMs).unref();
    }
  }

  /** Never rejects. A later call starts it again. */
  async function rest(): Promise<void> {
    const ending = started;
    started = null;
    const queue = await ending?.catch(() => null);
    await queue?.stop({ graceful: false }).catch(() => {});
  }

  /** What fails is tried again by the next call. */
  function boss(): Promise<PgBoss> {
    if (started !== null) return started;
    const starting = start(connectionString, schema).catch((error: unknown) => {
      if (started === starting) started = null;
      throw error;
    });
    started = starting;
    return starting;
  }

  async function consume(queue: PgBoss, work: (task: Task) => Promise<void>, stop: AbortSignal): Promise<void> {
    const running = new Map<string, Promise<void>>();

    function begin(id: string, task: Task): void {
      const run = (async () => work(task))()
        .then(
          () => queue.complete(queueName, id),
          () => queue.fail(queueName, id),
        )
        // What could not be noted is delivered again, which does no harm.
        .catch(() => {});
      running.set(
        id,
        run.then(() => {
          running.delete(id);
        }),
      );
    }

    const touching = setInterval(() => {
      if (running.size > 0) queue.touch(queueName, [...running.keys()]).catch(() => {});
    }, touchEveryMs);
    try {
      while (!stop.aborted) {
        // A database that is away for a while is asked again.
        const jobs = await queue.fetch<Task>(queueName, { batchSize: tasksPerLook }).catch(() => []);
        for (const { id, data } of jobs) begin(id, data);
        if (jobs.length < tasksPerLook) await delay(pollEveryMs, undefined, { signal: stop }).catch(() => {});
      }
      await Promise.all(running.values());
    } finally {
      clearInterval(touching);
    }
  }

  return {
    async push({ jobId, team }) {
      if (closing.signal.aborted) throw new RequestError("ENGINE_CLOSED", "The job queue is closed.");
      await use((queue) => queue.send(queueName, { jobId, team }), restAfterMs);
    },

    async consume(work, signal) {
      const stop = AbortSignal.any([signal, closing.signal]);
      if (stop.aborted) return;
      const run = use((queue) => consume(queue, work, stop), 0);
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
      clearTimeout(resting);
      await rest();
    },
  };
}

async function start(connectionString: string, schema: string): Promise<PgBoss> {
  let pgBoss: typeof import("pg-boss");
  try {
    pgBoss = await import("pg-boss");
  } catch (cause) {
    throw new RequestError("UNSUPPORTED", "pgBossQueue needs the package `pg-boss`: npm install pg-boss.", { cause });
  }
  const options = { connectionString, schema, schedule: false, ...lookForDeadEvery };
  try {
    return await begin(new pgBoss.PgBoss(options));
  } catch (error) {
    if ((error as { code?: string } | null)?.code !== insufficientPrivilege) throw error;
    // A role that may create no schema may have been given one.
    return begin(new pgBoss.PgBoss({ ...options, createSchema: false })).catch(() => {
      throw error;
    });
  }
}

async function begin(boss: PgBoss): Promise<PgBoss> {
  // What goes wrong in its own maintenance is tried again by it; unheard, the event would end the process.
  boss.on("error", () => {});
  try {
    await boss.start();
    await boss.createQueue(queueName, {
      retryLimit: 1_000_000,
      retryDelay: 1,
      heartbeatSeconds,
      expireInSeconds: 23 * 60 * 60,
      deleteAfterSeconds: 60,
    });
    return boss;
  } catch (error) {
    // Half started it has timers and a pool, which would hold the process.
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}
