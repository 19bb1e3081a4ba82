/**
 * Fairness: teams take turns, and so do the jobs of a team, one page at a time, so that a crawl of 10,000 pages does not
 * starve a crawl of three. After each page of a job it is the turn of the team's single calls: somebody is waiting for
 * these, however many jobs there are. A team never has more than `maxConcurrency` pages running.
 */
import { Ring } from "./ring.ts";

export interface Lanes {
  add(entrant: Entrant): void;
  remove(entrant: Entrant): void;
  /** A page that the entrant began has ended. */
  ended(entrant: Entrant): void;
  /** How many jobs the team has here. */
  countJobs(team: string): number;
  /** Something has happened: those who could begin no page are asked again. */
  askAgain(): void;
  /**
   * Begins pages that may start at `now`, as `performance.now()` gives it, one after the other.
   *
   * @param isOver asked after each page; true: the others begin another time
   * @returns `none` if no other may start; `pages` if it was over before; `unasked` if some have not been asked yet
   */
  begin(now: number, isOver: () => boolean): "none" | "pages" | "unasked";
}

/** What takes turns: a job, or the single calls of a team. */
export interface Entrant {
  readonly team: string;
  readonly kind: "job" | "calls";
  /** Pages begun and not ended. */
  readonly running: number;
  /** Begins a page if one may start now. */
  begin(now: number): boolean;
}

interface Team {
  readonly jobs: Ring<Entrant>;
  calls: Entrant | undefined;
  isTurnOfCalls: boolean;
  running: number;
}

/**
 * So many may be asked in vain at a time. Thousands of jobs may wait for one host: to ask all of them whenever a page
 * ends would take longer than the page.
 */
const mostInVain = 100;

export function createLanes(maxConcurrency: number): Lanes {
  const teams = new Ring<Team>();
  const teamsByName = new Map<string, Team>();
  let size = 0;
  /** How many have been asked in vain since something happened. */
  let inVain = 0;

  function teamOf(name: string): Team {
    const present = teamsByName.get(name);
    if (present !== undefined) return present;
    const team: Team = { jobs: new Ring(), calls: undefined, isTurnOfCalls: true, running: 0 };
    teams.add(team);
    teamsByName.set(name, team);
    return team;
  }

  const has = ({ jobs, calls }: Team, entrant: Entrant): boolean => jobs.has(entrant) || calls === entrant;

  /** @param refused those asked in vain at this time: each page that begins only leaves less room */
  function beginOne(team: Team, now: number, refused: Set<Entrant>): boolean {
    if (team.running >= maxConcurrency) return false;

    function begins(entrant: Entrant | undefined): boolean {
      if (entrant === undefined || refused.has(entrant) || refused.size >= mostInVain) return false;
      if (!entrant.begin(now)) {
        refused.add(entrant);
        return false;
      }
      team.running++;
      team.isTurnOfCalls = entrant.kind === "job";
      return true;
    }

    if (team.isTurnOfCalls && begins(team.calls)) return true;
    for (let left = team.jobs.size; left > 0 && refused.size < mostInVain; left--) {
      if (begins(team.jobs.next())) return true;
    }
    return begins(team.calls);
  }

  return {
    add(entrant) {
      const team = teamOf(entrant.team);
      if (entrant.kind === "job") team.jobs.add(entrant);
      else team.calls = entrant;
      size++;
    },
    remove(entrant) {
      const team = teamsByName.get(entrant.team);
      if (team === undefined || !has(team, entrant)) return;
      if (!team.jobs.delete(entrant)) team.calls = undefined;
      size--;
      team.running -= entrant.running;
      if (team.jobs.size > 0 || team.calls !== undefined) return;
      teams.delete(team);
      teamsByName.delete(entrant.team);
    },
    ended(entrant) {
      const team = teamsByName.get(entrant.team);
      if (team !== undefined && has(team, entrant)) team.running--;
    },
    countJobs: (team) => teamsByName.get(team)?.jobs.size ?? 0,
    askAgain() {
      inVain = 0;
    },
    begin(now, isOver) {
      const refused = new Set<Entrant>();
      let idleTeams = 0;
      while (idleTeams < teams.size && refused.size < mostInVain) {
        idleTeams = beginOne(teams.next()!, now, refused) ? 0 : idleTeams + 1;
        if (idleTeams === 0 && isOver()) return "pages";
      }
      if (refused.size < mostInVain) return "none";
      inVain += refused.size;
      return inVain < size ? "unasked" : "none";
    },
  };
}
