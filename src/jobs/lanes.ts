/**
 * Fairness: teams take turns, and so do the jobs and single calls of a team, one page at a time, so that a crawl of
 * 10,000 pages does not starve a crawl of three. A team never has more than `maxConcurrency` pages running.
 */
export interface Lanes {
  add(entrant: Entrant): void;
  remove(entrant: Entrant): void;
  /**
   * Begins the pages that may start at `now`, as `performance.now()` gives it, one after the other.
   *
   * @param isOver asked after each page; true: the others begin another time
   * @returns whether it was over before all had begun
   */
  begin(now: number, isOver: () => boolean): boolean;
}

/** What takes turns: a job, or the single calls of a team. */
export interface Entrant {
  readonly team: string;
  /** Pages begun and not ended. */
  readonly running: number;
  /** Begins a page if one may start now. */
  begin(now: number): boolean;
}

/** A team that may still have a page that may start. */
interface TeamTurn {
  readonly team: string;
  readonly entrants: Set<Entrant>;
  /** Those that may still have such a page, in the order of their turns. */
  readonly waiting: Entrant[];
  room: number;
}

export function createLanes(maxConcurrency: number): Lanes {
  /** The team whose turn is next comes first, and so does the entrant within a team. */
  const teams = new Map<string, Set<Entrant>>();

  function openTurns(): TeamTurn[] {
    return [...teams].map(([team, entrants]) => {
      const waiting = [...entrants];
      return { team, entrants, waiting, room: waiting.reduce((room, { running }) => room - running, maxConcurrency) };
    });
  }

  /** What may not begin a page now will not before the next look either: each page that begins leaves less room. */
  function beginOne(turn: TeamTurn, now: number): boolean {
    const { team, entrants, waiting } = turn;
    for (let entrant = waiting.shift(); entrant !== undefined && turn.room > 0; entrant = waiting.shift()) {
      if (!entrant.begin(now)) continue;
      turn.room--;
      waiting.push(entrant);
      if (entrants.delete(entrant)) entrants.add(entrant);
      if (teams.delete(team)) teams.set(team, entrants);
      return true;
    }
    return false;
  }

  return {
    add(entrant) {
      const entrants = teams.get(entrant.team);
      if (entrants === undefined) teams.set(entrant.team, new Set([entrant]));
      else entrants.add(entrant);
    },
    remove(entrant) {
      const entrants = teams.get(entrant.team);
      if (entrants?.delete(entrant) && entrants.size === 0) teams.delete(entrant.team);
    },
    begin(now, isOver) {
      for (let turns = openTurns(); turns.length > 0; ) {
        const begun: TeamTurn[] = [];
        for (const turn of turns) {
          if (!beginOne(turn, now)) continue;
          if (isOver()) return true;
          begun.push(turn);
        }
        turns = begun;
      }
      return false;
    },
  };
}
