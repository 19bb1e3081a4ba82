/**
 * The places of deliveries whose receivers take long. A team gets no more of them than are left for others: one whose
 * receivers are all dead has half of them, two have a third each, and there is always room for another.
 */
export class SlowPlaces {
  readonly #count: number;
  readonly #byTeam = new Map<string, number>();
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

  /** The place is free again once the returned function is called. */
  take(team: string): () => void {
    this.#add(team, 1);
    return () => this.#add(team, -1);
  }

  #add(team: string, change: 1 | -1): void {
    this.#taken += change;
    const own = (this.#byTeam.get(team) ?? 0) + change;
    if (own === 0) this.#byTeam.delete(team);
    else this.#byTeam.set(team, own);
  }
}
