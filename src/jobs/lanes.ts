/**
 * Fairness: teams take turns, and so do the jobs and single calls of a team, one page at a time, so that a crawl of
 * 10,000 pages does not starve a crawl of three. A team never has more than `maxConcurrency` pages running.
 */
export interface Lanes {
  add(entrant: Entrant): void;
  remove(entrant: Entrant): void;
  /** A page that the entrant began has ended. */
  ended(entrant: Entrant): void;
  /** How many entrants the team has. */
  count(team: string): number;
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
  /** Pages begun and not ended. */
  readonly running: number;
  /** Begins a page if one may start now. */
  begin(now: number): boolean;
}

interface Team {
  /** In the order of their turns. */
  readonly entrants: Set<Entrant>;
  running: number;
}

/**
 * So many may be asked in vain at a time. Thousands of jobs may wait for one host: to ask all of them whenever a page
 * ends would take longer than the page.
 */
const mostInVain = 100;

export function createLanes(maxConcurrency: number): Lanes {
  /** In the order of their turns. */
  const teams = new Map<string, Team>();
  let size = 0;
  /** How many have been asked in vain since something happened. */
  let inVain = 0;

  /** @param refused those asked in vain at this time: each page that begins only leaves less room */
  function beginOne(team: Team, now: number, refused: Set<Entrant>): boolean {
    let left = team.entrants.size;
    for (const entrant of team.entrants) {
      if (left-- === 0 || team.running >= maxConcurrency || refused.size >= mostInVain) return false;
      goLast(team.entrants, entrant);
      if (refused.has(entrant)) continue;
      if (entrant.begin(now)) {
        team.running++;
        return true;
      }
      refused.add(entrant);
    }
    return false;
  }

  return {
    add(entrant) {
      const team = teams.get(entrant.team);
      if (team === undefined) teams.set(entrant.team, { entrants: new Set([entrant]), running: 0 });
      else team.entrants.add(entrant);
      size++;
    },
    remove(entrant) {
      const team = teams.get(entrant.team);
      if (!team?.entrants.delete(entrant)) return;
      size--;
      team.running -= entrant.running;
      if (team.entrants.size === 0) teams.delete(entrant.team);
    },
    ended(entrant) {
      const team = teams.get(entrant.team);
      if (team?.entrants.has(entrant)) team.running--;
    },
    count: (team) => teams.get(team)?.entrants.size ?? 0,
    askAgain() {
      inVain = 0;
    },
    begin(now, isOver) {
      const refused = new Set<Entrant>();
      let idleTeams = 0;
      for (const [name, team] of teams) {
        if (idleTeams >= teams.size || refused.size >= mostInVain) break;
        teams.delete(name);
        teams.set(name, team);
        idleTeams = beginOne(team, now, refused) ? 0 : idleTeams + 1;
        if (idleTeams === 0 && isOver()) return "pages";
      }
      if (refused.size < mostInVain) return "none";
      inVain += refused.size;
      return inVain < size ? "unasked" : "none";
    },
  };
}

function goLast(entrants: Set<Entrant>, entrant: Entrant): void {
  entrants.delete(entrant);
  entrants.add(entrant);
}
