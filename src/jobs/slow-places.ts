/** When the first of a team's further lanes comes again, and how long after it each other one, in milliseconds. */
const putOffMs = 10_000;
const betweenMs = 50;

/**
 * The places of deliveries whose receivers take long. A team gets no more of them than are left for others: one whose
 * receivers are all dead has half of them, two have a third each, and there is always room for another.
 */
export class SlowPlaces {
  readonly #count: number;
  readonly #byTeam = new Map<string, number>();
  readonly #lastPutOff = new Map<string, number>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get taken(): number {
    return Math.min(this.#taken, this.#count);
  }

  /** Whether the team has its part. */
  areFull(team: string): boolean {
    const own = this.#byTeam.get(team) ?? 0;
    return own > 0 && own >= this.#count - this.#taken;
  }

  /**
   * When a lane of a team that has its part comes again. Lanes come one after the other, about as places become free:
   * whenever one is taken, its events are read.
   */
  putOff(team: string, now: number): number {
    const last = this.#lastPutOff.get(team) ?? Number.NEGATIVE_INFINITY;
    const at = Math.max(Math.ceil(now) + putOffMs, last + betweenMs);
    this.#lastPutOff.set(team, at);
    return at;
  }

  /** The place is free again once the returned function is called. */
  take(team: string): () => void {
    this.#add(team, 1);
    return () => this.#add(team, -1);
  }

  #add(team: string, change: 1 | -1): void {
    this.#taken += change;
    const own = (this.#byTeam.get(team) ?? 0) + change;
    if (own > 0) this.#byTeam.set(team, own);
    else {
      this.#byTeam.delete(team);
      this.#lastPutOff.delete(team);
    }
  }
}
