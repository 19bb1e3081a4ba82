/**
 * Groups calls into transactions. Calls within a few turns of the event loop are written in one commit, and a long
 * transaction gives way to the event loop in between.
 */

import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { type Database, isBusy } from "./database.ts";

/** Work within a transaction. It may run twice, so it must not affect anything but the database. */
type Work<T> = (database: Database) => T;
/** The same in parts, after each of which the event loop may get its turn. The whole is still one transaction. */
type LongWork<T> = (database: Database) => Generator<void, T>;

export interface Committer {
  read<T>(work: Work<T>): Promise<T>;
  write<T>(work: Work<T>): Promise<T>;
  writeInParts<T>(work: LongWork<T>): Promise<T>;
  /** Resolves when nothing is in progress or waiting. */
  drain(): Promise<void>;
}

interface Call {
  readonly writes: boolean;
  readonly run: (database: Database) => unknown;
  readonly inParts: boolean;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns of the event loop in which writes are gathered, and the most milliseconds. In an idle process this takes some
 * microseconds; in a busy one, in which about one page ends in each turn, it saves most of the commits.
 */
const turnsPerCommit = 32;
const gatherMs = 40;
/** Milliseconds after which a transaction ends, or pauses if a single call takes longer. */
const turnMs = 4;
/** How long a call waits for other processes that are writing. */
const busyTimeoutMs = 30_000;

export function createCommitter(open: () => Database, onCommit: (database: Database) => void): Committer {
  let waiting: Call[] = [];
  let waitingWrites = 0;
  let running: Promise<void> | null = null;

  function enqueue<T>(writes: boolean, inParts: boolean, run: (database: Database) => unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ writes, inParts, run, resolve, reject });
      if (writes) waitingWrites += 1;
      running ??= runAll();
    });
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const gatherUntil = performance.now() + gatherMs;
      await nextTurn();
      for (let turn = 1; turn < turnsPerCommit && waitingWrites > 0; turn += 1) {
        if (performance.now() > gatherUntil) break;
        await nextTurn();
      }
      const calls = waiting;
      const writes = waitingWrites > 0;
      waiting = [];
      waitingWrites = 0;
      await runCalls(calls, writes);
    }
    // In the same step as the last look at `waiting`, so that a later call starts a new run.
    running = null;
  }

  /**
   * Runs the calls in order, in as many transactions as the time limit requires; finished calls are removed from the
   * list, and so from memory.
   */
  async function runCalls(calls: Call[], writes: boolean): Promise<void> {
    let database: Database;
    try {
      database = await openInTime(open);
    } catch (error) {
      rejectAll(calls, error);
      return;
    }
    while (calls.length > 0) {
      calls.splice(0, await runSome(database, calls, writes));
      if (calls.length > 0) await nextTurn();
    }
  }

  /** Runs the first calls in one transaction; returns how many. */
  async function runSome(database: Database, calls: Call[], writes: boolean): Promise<number> {
    const attempt = await attemptTogether(database, calls, writes);
    if (attempt.error === undefined) {
      attempt.values.forEach((value, index) => {
        calls[index]?.resolve(value as never);
      });
      if (writes) onCommit(database);
      return attempt.values.length;
    }
    // All have waited as long as the first.
    if (isBusy(attempt.error)) return rejectAll(calls, attempt.error);
    if (attempt.tried === 1) {
      calls[0]?.reject(attempt.error);
      return 1;
    }
    // One of them failed and took the others with it: each on its own.
    for (const call of calls.slice(0, attempt.tried)) await runSome(database, [call], writes);
    return attempt.tried;
  }

  async function attemptTogether(database: Database, calls: Call[], writes: boolean): Promise<Attempt> {
    const giveUpAt = performance.now() + busyTimeoutMs;
    for (;;) {
      const attempt = await attemptOnce(database, calls, writes);
      if (!isBusy(attempt.error) || performance.now() > giveUpAt) return attempt;
      await otherProcess();
      if (writes) await readMeanwhile(database, calls);
      if (calls.length === 0) return { values: [], tried: 0 };
    }
  }

  /** Another process writes, for seconds if it is frozen. Who only reads need not wait for that. */
  async function readMeanwhile(database: Database, calls: Call[]): Promise<void> {
    const reads = [...takeReads(calls), ...takeReads(waiting)];
    while (reads.length > 0) reads.splice(0, await runSome(database, reads, false));
  }

  return {
    read: (work) => enqueue(false, false, work),
    write: (work) => enqueue(true, false, work),
    writeInParts: (work) => enqueue(true, true, work),
    async drain() {
      while (running !== null) await running;
    },
  };
}

function takeReads(calls: Call[]): Call[] {
  const all = calls.splice(0);
  for (const call of all) if (call.writes) calls.push(call);
  return all.filter(({ writes }) => !writes);
}

/** Returns how many they are. */
function rejectAll(calls: readonly Call[], error: unknown): number {
  for (const call of calls) call.reject(error);
  return calls.length;
}

interface Attempt {
  readonly values: readonly unknown[];
  /** Calls that were begun. */
  readonly tried: number;
  readonly error?: unknown;
}

/** Another process is at the file. SQLite's own waiting would block the event loop. */
function otherProcess(): Promise<void> {
  return delay(1 + Math.random() * 4);
}

/** Opens the file once other processes let it be opened. */
async function openInTime(open: () => Database): Promise<Database> {
  const giveUpAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return open();
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await otherProcess();
    }
  }
}

async function attemptOnce(database: Database, calls: readonly Call[], writes: boolean): Promise<Attempt> {
  const values: unknown[] = [];
  let tried = 0;
  try {
    let turnEnds = performance.now() + turnMs;
    database.begin(writes);
    for (const call of calls) {
      tried += 1;
      let value = call.run(database);
      if (call.inParts) {
        const parts = value as Generator<void, unknown>;
        let part = parts.next();
        while (part.done !== true) {
          if (performance.now() > turnEnds) {
            await nextTurn();
            turnEnds = performance.now() + turnMs;
          }
          part = parts.next();
        }
        value = part.value;
      }
      values.push(value);
      if (performance.now() > turnEnds) break;
    }
    database.commit();
    return { values, tried };
  } catch (error) {
    rollBack(database);
    return { values: [], tried: Math.max(tried, 1), error };
  }
}

/** What made it necessary says more than why it fails, which it does on a broken disk; it is tried again by `begin`. */
function rollBack(database: Database): void {
  try {
    database.rollback();
  } catch {}
}
