/** Pages that are scraped outside of jobs wait for their turn among the team's jobs, and count in the same limits. */
import type { Deadline } from "../fetch/deadline.ts";
import { onAbort } from "../shared/on-abort.ts";
import { type Hosts, hostOf } from "./hosts.ts";
import type { Entrant, Lanes } from "./lanes.ts";

interface SingleCalls {
  /** Runs `work` once the team and the host have room. Rejects with the signal's reason while it waits. */
  run<Value>(call: SingleCall, work: () => Promise<Value>): Promise<Value>;
}

interface SingleCall {
  readonly team: string;
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
  /** Waiting for the turn does not count. */
  readonly deadline?: Pick<Deadline, "untimed"> | undefined;
}

interface Waiting {
  /** The place among all calls, in the order in which they came. */
  readonly place: number;
  readonly host: string;
  readonly begin: (begunAt: number) => void;
}

interface TeamCalls extends Entrant {
  running: number;
  /** By host: thousands of calls may wait for one that is busy. None is empty. */
  readonly waiting: Map<string, Set<Waiting>>;
}

/** `pump` starts whatever may start. */
export function createSingleCalls(lanes: Lanes, hosts: Hosts, pump: () => void): SingleCalls {
  const teams = new Map<string, TeamCalls>();
  let places = 0;

  function callsOf(team: string): TeamCalls {
    const present = teams.get(team);
    if (present !== undefined) return present;
    const calls: TeamCalls = {
      team,
      kind: "calls",
      running: 0,
      waiting: new Map(),
      begin() {
        const call = firstFree(calls);
        if (call === undefined) return false;
        remove(calls, call);
        calls.running++;
        call.begin(hosts.enter(call.host));
        return true;
      },
    };
    teams.set(team, calls);
    lanes.add(calls);
    return calls;
  }

  function firstFree({ waiting }: TeamCalls): Waiting | undefined {
    let first: Waiting | undefined;
    for (const [host, ofHost] of waiting) {
      const [call] = ofHost;
      if (call === undefined || (first !== undefined && first.place < call.place)) continue;
      // A pause that a host asked of some job is no reason to keep a caller waiting.
      if (hosts.isFree(host, Number.POSITIVE_INFINITY)) first = call;
    }
    return first;
  }

  function add({ waiting }: TeamCalls, call: Waiting): void {
    const ofHost = waiting.get(call.host);
    if (ofHost === undefined) waiting.set(call.host, new Set([call]));
    else ofHost.add(call);
  }

  function remove({ waiting }: TeamCalls, call: Waiting): void {
    const ofHost = waiting.get(call.host);
    if (ofHost?.delete(call) && ofHost.size === 0) waiting.delete(call.host);
  }

  function leave(calls: TeamCalls): void {
    if (calls.running > 0 || calls.waiting.size > 0) return;
    teams.delete(calls.team);
    lanes.remove(calls);
  }

  /** When the call began. */
  function turn(calls: TeamCalls, host: string, signal: AbortSignal | undefined): Promise<number> {
    return new Promise((resolve, reject) => {
      const call: Waiting = {
        place: places++,
        host,
        begin(begunAt) {
          unlisten?.();
          resolve(begunAt);
        },
      };
      add(calls, call);
      const unlisten =
        signal &&
        onAbort(signal, () => {
          remove(calls, call);
          leave(calls);
          reject(signal.reason);
        });
      pump();
    });
  }

  return {
    async run({ team, url, signal, deadline }, work) {
      signal?.throwIfAborted();
      const calls = callsOf(team);
      const host = hostOf(url);
      const waiting = turn(calls, host, signal);
      const begunAt = await (deadline?.untimed(waiting) ?? waiting);
      try {
        return await work();
      } finally {
        calls.running--;
        lanes.ended(calls);
        hosts.leave(host, begunAt);
        leave(calls);
        pump();
      }
    },
  };
}
