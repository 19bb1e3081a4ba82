/** Pages that are scraped outside of jobs wait for their turn among the team's jobs, and count in the same limits. */
import { type Hosts, hostOf } from "./hosts.ts";
import type { Entrant, Lanes } from "./lanes.ts";

interface SingleCalls {
  /** Runs `work` once the team and the host have room. Rejects with the signal's reason while it waits. */
  run<Value>(
    call: { readonly team: string; readonly url: string; readonly signal?: AbortSignal | undefined },
    work: () => Promise<Value>,
  ): Promise<Value>;
}

interface Waiting {
  readonly host: string;
  readonly begin: () => void;
}

interface TeamCalls extends Entrant {
  running: number;
  readonly waiting: Set<Waiting>;
}

/** `pump` starts whatever may start. */
export function createSingleCalls(lanes: Lanes, hosts: Hosts, pump: () => void): SingleCalls {
  const teams = new Map<string, TeamCalls>();

  function callsOf(team: string): TeamCalls {
    const present = teams.get(team);
    if (present !== undefined) return present;
    const calls: TeamCalls = {
      team,
      running: 0,
      waiting: new Set(),
      begin() {
        for (const call of calls.waiting) {
          // A pause that a host asked of some job is no reason to keep a caller waiting.
          if (!hosts.isFree(call.host, Number.POSITIVE_INFINITY)) continue;
          calls.waiting.delete(call);
          calls.running++;
          hosts.enter(call.host);
          call.begin();
          return true;
        }
        return false;
      },
    };
    teams.set(team, calls);
    lanes.add(calls);
    return calls;
  }

  function leave(calls: TeamCalls): void {
    if (calls.running > 0 || calls.waiting.size > 0) return;
    teams.delete(calls.team);
    lanes.remove(calls);
  }

  function turn(calls: TeamCalls, host: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        calls.waiting.delete(waiting);
        leave(calls);
        reject(signal?.reason);
      };
      const waiting = {
        host,
        begin() {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      calls.waiting.add(waiting);
      pump();
    });
  }

  return {
    async run({ team, url, signal }, work) {
      signal?.throwIfAborted();
      const calls = callsOf(team);
      const host = hostOf(url);
      await turn(calls, host, signal);
      try {
        return await work();
      } finally {
        calls.running--;
        hosts.leave(host);
        leave(calls);
        pump();
      }
    },
  };
}
