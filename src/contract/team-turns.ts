/** Lets a bounded number at something at once: tabs, threads, models. Teams take turns; those of one team wait in order. */
import { orAborted } from "./or-aborted.ts";

/** Who waits for a turn. */
export interface Waiter {
  readonly team: string;
  /** Is given the waiting, so that a clock can stand still meanwhile. */
  readonly untimed?: (<Value>(waiting: Promise<Value>) => Promise<Value>) | undefined;
}

export interface TeamTurns {
  /** Turns that nobody has. */
  readonly free: number;
  /** Resolves when it is the caller's turn; rejects with the signal's reason. */
  take(team: string, signal: AbortSignal | undefined): Promise<void>;
  end(): void;
  /** Lets all who wait go on at once: there is nothing to wait for any more. */
  dismiss(): void;
}

export function createTeamTurns(count: number): TeamTurns {
  /** The team whose turn is next stands first; only those with somebody who waits. */
  const waiting = new Map<string, (() => void)[]>();
  let free = count;

  function end(): void {
    const next = waiting.entries().next().value;
    if (next === undefined) {
      free += 1;
      return;
    }
    const [team, [turn, ...later]] = next;
    waiting.delete(team);
    if (later.length > 0) waiting.set(team, later);
    turn?.();
  }

  /** False when the turn has come already. */
  function giveUp(team: string, turn: () => void): boolean {
    const turns = waiting.get(team) ?? [];
    const left = turns.filter((other) => other !== turn);
    if (left.length > 0) waiting.set(team, left);
    else waiting.delete(team);
    return left.length < turns.length;
  }

  return {
    get free() {
      return free;
    },
    async take(team, signal) {
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(team, [...(waiting.get(team) ?? []), resolve]);
      try {
        await orAborted(promise, signal);
      } catch (error) {
        if (!giveUp(team, resolve)) end(); // The turn came together with the abort.
        throw error;
      }
    },
    end,
    dismiss() {
      const turns = [...waiting.values()].flat();
      waiting.clear();
      for (const turn of turns) turn();
    },
  };
}
