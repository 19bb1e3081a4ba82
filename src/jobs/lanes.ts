/**
 * Fairness: teams take turns, and so do the jobs and single calls of a team, one page at a time, so that a crawl of
 * 10,000 pages does not starve a crawl of three. A team never has more than `maxConcurrency` pages running.
 */
export interface Lanes {
  add(entrant: Entrant): void;
  remove(entrant: Entrant): void;
  /** Begins the next page that may start; false when none may at `now`, as `performance.now()` gives it. */
  beginNext(now: number): boolean;
}

/** What takes turns: a job, or the single calls of a team. */
export interface Entrant {
  readonly team: string;
  /** Pages begun and not ended. */
  readonly running: number;
  /** Begins a page if one may start now. */
  begin(now: number): boolean;
}

interface TeamTurn {
  readonly team: string;
  readonly entrants: Entrant[];
}

export function createLanes(maxConcurrency: number): Lanes {
  /** The team whose turn is next comes first, and so does the entrant within a team. */
  const teams: TeamTurn[] = [];

  return {
    add(entrant) {
      const turn = teams.find((candidate) => candidate.team === entrant.team);
      if (turn === undefined) teams.push({ team: entrant.team, entrants: [entrant] });
      else turn.entrants.push(entrant);
    },
    remove(entrant) {
      const index = teams.findIndex((candidate) => candidate.team === entrant.team);
      const turn = teams[index];
      if (turn === undefined) return;
      const place = turn.entrants.indexOf(entrant);
      if (place !== -1) turn.entrants.splice(place, 1);
      if (turn.entrants.length === 0) teams.splice(index, 1);
    },
    beginNext(now) {
      for (const [teamIndex, turn] of teams.entries()) {
        const running = turn.entrants.reduce((sum, entrant) => sum + entrant.running, 0);
        if (running >= maxConcurrency) continue;
        for (const [index, entrant] of turn.entrants.entries()) {
          if (!entrant.begin(now)) continue;
          turn.entrants.push(...turn.entrants.splice(index, 1));
          teams.push(...teams.splice(teamIndex, 1));
          return true;
        }
      }
      return false;
    },
  };
}
