/**
 * Limits how many callers use something at once: tabs, threads, models. Teams take turns; callers of one team wait in
 * order.
 */
import PQueue, { type Queue, type QueueAddOptions } from "p-queue";
import { orAborted } from "./or-aborted.ts";

/** Who waits for a turn. */
export interface Waiter {
  readonly team: string;
  /** Wraps the waiting, so that its time does not count. */
  readonly untimed?: (<Value>(waiting: Promise<Value>) => Promise<Value>) | undefined;
}

interface TeamTurns {
  /** How many turns are free. */
  readonly free: number;
  /** How many callers are waiting for a turn. */
  readonly waiting: number;
  /** Resolves when it is the caller's turn, with a function that ends the turn; rejects with the signal's reason. */
  take(team: string, signal: AbortSignal | undefined): Promise<() => void>;
  /** Lets all waiting callers continue at once, because there is nothing to wait for any more. */
  dismiss(): void;
}

type Run = () => Promise<unknown>;

interface TeamOptions extends QueueAddOptions {
  readonly team: string;
}

/**
 * The queue in the form that the library wants; runs all have the same priority here, and are not searched by options.
 */
class TeamQueue implements Queue<Run, TeamOptions> {
  size = 0;
  /** Only teams with waiting callers; the team whose turn is next comes first. By id, in order. */
  readonly #waiting = new Map<string, Map<string, Run>>();

  enqueue(run: Run, { team = "", id = "" }: Partial<TeamOptions> = {}): void {
    const runs = this.#waiting.get(team);
    if (runs === undefined) this.#waiting.set(team, new Map([[id, run]]));
    else runs.set(id, run);
    this.size += 1;
  }

  dequeue(): Run | undefined {
    for (const [team, runs] of this.#waiting) {
      for (const [id, run] of runs) {
        this.#take(team, runs, id);
        // Moved behind the others.
        if (this.#waiting.delete(team)) this.#waiting.set(team, runs);
        return run;
      }
    }
    return undefined;
  }

  remove(id: string): void {
    for (const [team, runs] of this.#waiting) if (runs.has(id)) this.#take(team, runs, id);
  }

  filter(): Run[] {
    return [...this.#waiting.values()].flatMap((runs) => [...runs.values()]);
  }

  setPriority(): void {}

  #take(team: string, runs: Map<string, Run>, id: string): void {
    runs.delete(id);
    this.size -= 1;
    if (runs.size === 0) this.#waiting.delete(team);
  }
}

export function createTeamTurns(count: number): TeamTurns {
  const queue = new PQueue<TeamQueue, TeamOptions>({ concurrency: count, queueClass: TeamQueue });
  return {
    get free() {
      return Math.max(0, queue.concurrency - queue.pending);
    },
    get waiting() {
      return queue.size;
    },
    async take(team, signal) {
      const turn = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const waiting = new AbortController();
      const hold = () => {
        turn.resolve();
        return end.promise;
      };
      // Not the caller's signal: a turn that has begun lasts until the caller has cleaned up.
      queue.add(hold, { team, signal: waiting.signal }).catch(() => {});
      try {
        await orAborted(turn.promise, signal);
      } catch (error) {
        waiting.abort();
        throw error;
      }
      return end.resolve;
    },
    dismiss() {
      queue.concurrency = Number.POSITIVE_INFINITY;
    },
  };
}
