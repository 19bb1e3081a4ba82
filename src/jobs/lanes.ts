import type { LeasedPage } from "../ports/job-store.ts";
import type { Hosts } from "./hosts.ts";
import { type Lane, takePage } from "./lane.ts";
import type { Readers } from "./readers.ts";

/**
 * Fairness: teams take turns, and within a team its jobs do, a page at a time, so that a crawl of 10,000 pages does
 * not starve one of three. A team never has more pages running than `maxConcurrency`.
 */
export interface Lanes {
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /** The next page that may start, with its lane; null when none may at `now`. */
  next(now: number): { lane: Lane; page: LeasedPage } | null;
  all(): Iterable<Lane>;
}

interface TeamTurn {
  readonly team: string;
  readonly lanes: Lane[];
}

export function createLanes(maxConcurrency: number, hosts: Hosts, readers: Readers): Lanes {
  /** The team and the lane whose turn is next stand first. */
  const teams: TeamTurn[] = [];

  return {
    add(lane) {
      const turn = teams.find((candidate) => candidate.team === lane.team);
      if (turn === undefined) teams.push({ team: lane.team, lanes: [lane] });
      else turn.lanes.push(lane);
    },
    remove(lane) {
      const index = teams.findIndex((candidate) => candidate.team === lane.team);
      const turn = teams[index];
      if (turn === undefined) return;
      const place = turn.lanes.indexOf(lane);
      if (place !== -1) turn.lanes.splice(place, 1);
      if (turn.lanes.length === 0) teams.splice(index, 1);
    },
    next(now) {
      for (const [teamIndex, turn] of teams.entries()) {
        const running = turn.lanes.reduce((sum, lane) => sum + lane.running, 0);
        if (running >= maxConcurrency) continue;
        for (const [laneIndex, lane] of turn.lanes.entries()) {
          const page = takePage(lane, hosts, readers, now);
          if (page === null) continue;
          turn.lanes.push(...turn.lanes.splice(laneIndex, 1));
          teams.push(...teams.splice(teamIndex, 1));
          return { lane, page };
        }
      }
      return null;
    },
    *all() {
      for (const turn of teams) yield* turn.lanes;
    },
  };
}
