/**
 * pg-boss, for as long as it is in use. Engines that share a queue are closed one by one, and none of them closes the
 * queue. So its timers and connections, which would keep the process alive, end with its last consumer or, in a process
 * that only accepts jobs, soon after the last push.
 */
import { RequestError } from "../../errors.ts";
import { onceConnected } from "./again.ts";

export type PgBoss = import("pg-boss").PgBoss;

interface SharedBoss {
  /** Runs `act`. If nobody else uses pg-boss afterwards, it ends after so many milliseconds. */
  use<Value>(act: (queue: PgBoss) => Promise<Value>, restAfterMs: number): Promise<Value>;
  /** Ends it now; it starts again when it is next used. Never rejects. */
  end(): Promise<void>;
}

export const queueName = "crawlcore";
/**
 * A task whose consumer has died is delivered again after this time, and what pg-boss takes to notice; a live consumer
 * sends heartbeats more often.
 */
const heartbeatSeconds = 20;
/** How often the engines on a queue look, in turns, for heartbeats that failed to come. */
const lookForDeadEvery = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
const insufficientPrivilege = "42501";
/** A function or a column that pg-boss does not find where there is a table of the name that it looks for. */
const notThere: ReadonlySet<unknown> = new Set(["42883", "42703"]);

export function createSharedBoss(connectionString: string, schema: string): SharedBoss {
  let started: Promise<PgBoss> | null = null;
  let users = 0;
  let resting: NodeJS.Timeout | undefined;

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

  return {
    async use<Value>(act: (queue: PgBoss) => Promise<Value>, restAfterMs: number): Promise<Value> {
      users += 1;
      clearTimeout(resting);
      try {
        return await act(await boss());
      } finally {
        users -= 1;
        if (users === 0 && restAfterMs === 0) await rest();
        else if (users === 0) resting = setTimeout(rest, restAfterMs).unref();
      }
    },
    async end() {
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
  if (typeof pgBoss.PgBoss !== "function") {
    throw new RequestError(
      "UNSUPPORTED",
      "pgBossQueue needs version 12 of the package `pg-boss`: npm install pg-boss.",
    );
  }
  const options = { connectionString, schema, schedule: false, ...lookForDeadEvery };
  try {
    return await onceConnected(() => begin(new pgBoss.PgBoss(options)));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (notThere.has(code)) {
      const message = `The schema ${schema} holds the tables of something else, such as a postgresStorage; a pgBossQueue needs a schema of its own.`;
      throw new RequestError("UNSUPPORTED", message, { cause: error });
    }
    if (code !== insufficientPrivilege) throw error;
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
